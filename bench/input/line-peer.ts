import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { arrayPython } from './array-python.ts'

/** A script in a child process, which answers each line with a line, both JSON. */
export interface LinePeer {
  /** The name and the version of the library that answers. */
  readonly name: string
  ask(request: object): Promise<unknown>
  close(): void
}

/**
 * Starts a script of bench/input, whose first line has the name of its library. Null, and a line on standard error, if this Python lacks the
 * library.
 */
export async function startLinePeer(
  script: string,
  args: readonly string[],
  python = arrayPython(),
): Promise<LinePeer | null> {
  const child = spawn(python, [join(import.meta.dirname, script), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const errors: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  process.once('exit', () => child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${basename(script)} of ${python} has ended: ${Buffer.concat(errors)}`)
    return JSON.parse(value)
  }
  let name: string
  try {
    await once(child, 'spawn')
    name = ((await next()) as { name: string }).name
  } catch (error) {
    console.error(`no peer: ${error instanceof Error ? error.message : error}`)
    return null
  }
  return {
    name,
    ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`)
      return next()
    },
    // At the end of its input it ends.
    close: () => child.stdin.end(),
  }
}
