/** A bare server in Node that pipes files of a folder, its first argument, and into it (PUT). The port is sent as a message. */
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Bytes that wait to be written. Those that have come meanwhile are written in one call. */
const WAITING_BYTES = 1 << 20

const [folder = '.'] = process.argv.slice(2)

const server = createServer(async (request, response) => {
  const path = join(folder, basename(request.url ?? ''))
  if (request.method === 'PUT') {
    // `flush`: it is on the disk when the pipeline has ended.
    await pipeline(request, createWriteStream(path, { highWaterMark: WAITING_BYTES, flush: true }))
    response.end()
    return
  }
  response.setHeader('content-length', statSync(path).size)
  createReadStream(path).pipe(response)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.(address.port)
})
