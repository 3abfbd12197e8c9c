import { createInterface } from 'node:readline'

/** Reads the log of a service until it says that it is ready. Gives the address that it listens on. */
export async function addressOf(log: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(log)) {
    const entry = JSON.parse(line) as { msg: string; address?: string }
    if (entry.msg === 'ready' && entry.address !== undefined) return entry.address
  }
  throw new Error('the service ended before it was ready')
}
