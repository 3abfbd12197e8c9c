import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { arrayPython } from './array-python.ts'

/** Days of a file, from the first to before the last. */
export type Days = readonly [from: number, to: number]

/** How h5py sums several ranges of days: one after the other, by a thread for each, or by a process for each. */
export type Way = 'one' | 'threads' | 'processes'

/** h5py in a child process, which has opened a file of `sst`. */
export interface H5py {
  readonly version: string
  /** The sum over each range of days, and the milliseconds that all took together, which the child process takes. */
  sums(way: Way, days: readonly Days[]): Promise<{ readonly ms: number; readonly sums: readonly number[] }>
  close(): void
}

/** Starts h5py. Throws if there is no Python that has it. */
export async function startH5py(path: string): Promise<H5py> {
  const python = arrayPython()
  const child = spawn(python, [join(import.meta.dirname, 'h5py_peer.py'), path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  process.once('exit', () => child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { value, done } = await Promise.race([lines.next(), failed])
    if (done) throw new Error(`${python} with h5py has ended`)
    return JSON.parse(value)
  }
  const { version } = (await next()) as { version: string }
  return {
    version,
    sums(way, days) {
      child.stdin.write(`${JSON.stringify({ way, days })}\n`)
      return next() as ReturnType<H5py['sums']>
    },
    // At the end of its input it ends, and with it its processes.
    close: () => child.stdin.end(),
  }
}
