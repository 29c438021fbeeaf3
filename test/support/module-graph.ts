import { cruise, type ICruiseResult, type IFlattenedRuleSet, type IModule } from "dependency-cruiser"

/** What imports what under `folder`, judged by `rules`. Types count as imports too. */
export async function cruiseFolder(
  folder: string,
  paths: string[],
  rules: IFlattenedRuleSet = {},
): Promise<ICruiseResult> {
  const { output } = await cruise(paths, {
    baseDir: folder,
    validate: true,
    ruleSet: rules,
    // Without this, what is imported for its types alone is not seen, and with a TypeScript that it does not know, nothing.
    tsPreCompilationDeps: "specify",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  })
  if (typeof output === "string") throw new Error("dependency-cruiser printed a report in place of a result")
  return output
}

/** Every path from a module that matches `from` to one that matches `to`, over what is loaded at run time. */
export function loadPaths(modules: readonly IModule[], from: RegExp, to: RegExp): string[] {
  const bySource = new Map(modules.map((module) => [module.source, module]))
  const found: string[] = []
  for (const start of modules.filter((module) => from.test(module.source))) {
    const seen = new Set([start.source])
    const queue: string[][] = [[start.source]]
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      for (const dependency of bySource.get(path.at(-1) ?? "")?.dependencies ?? []) {
        if (dependency.preCompilationOnly === true || seen.has(dependency.resolved)) continue
        seen.add(dependency.resolved)
        const longer = [...path, dependency.resolved]
        if (to.test(dependency.resolved) || to.test(dependency.module)) found.push(longer.join(" -> "))
        queue.push(longer)
      }
    }
  }
  return found
}
