/** A schema as the Standard Schema and Standard JSON Schema specifications shape it (standardschema.dev, version 1). */
export interface StandardJsonSchema<T> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    /** Never holds a value back: the tool itself answers a wrong parameter with the rule that it breaks. */
    validate(value: unknown): { value: T }
    readonly jsonSchema: {
      input(options: { target: string }): Record<string, unknown>
      output(options: { target: string }): Record<string, unknown>
    }
    readonly types?: { readonly input: T; readonly output: T }
  }
}

/** The AI SDK takes such a schema in every version, so nothing of it has to be imported to make one. */
export function standardJsonSchema<T>(parameters: Record<string, unknown>): StandardJsonSchema<T> {
  const answer = (): Record<string, unknown> => structuredClone(parameters)
  return {
    "~standard": {
      version: 1,
      vendor: "bounded-read",
      validate: (value) => ({ value: value as T }),
      jsonSchema: { input: answer, output: answer },
    },
  }
}
