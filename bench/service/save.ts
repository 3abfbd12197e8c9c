import { closeSync, openSync, writeSync } from 'node:fs'
import { Agent } from 'node:http'
import { ask } from './client.ts'

/** Writes the answer to a query into a file. Resolves with its bytes. */
export async function save(port: number, body: object, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: false })
  const descriptor = openSync(path, 'w')
  let bytes = 0
  try {
    await ask({ agent, port, text: JSON.stringify(body) }, (chunk) => {
      bytes += writeSync(descriptor, chunk)
    })
    return bytes
  } finally {
    closeSync(descriptor)
    agent.destroy()
  }
}
