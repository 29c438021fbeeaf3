export function assembleNewlineCounter(): Promise<string>
