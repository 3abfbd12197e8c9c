import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Programs that open what the service writes, with arguments that do nothing. `.ci/run` installs them. */
const TOOLS = {
  bsdtar: ['--version'],
  cdo: ['--version'],
  ncdump: [],
  unzip: ['-v'],
} as const

export type Tool = keyof typeof TOOLS

/** Why a test that needs a tool is skipped here. False: it is not, and never in CI, where it fails without the tool. */
export function skipWithoutTool(tool: Tool): string | false {
  if (process.env['CI'] !== undefined || spawnSync(tool, TOOLS[tool]).error === undefined) return false
  return `there is no ${tool} here`
}

/** What a tool prints. Throws if there is no such tool, or if it fails, with what it has written to standard error. */
export async function runTool(tool: Tool, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(tool, [...args], { maxBuffer: 1 << 28 })
  return stdout
}
