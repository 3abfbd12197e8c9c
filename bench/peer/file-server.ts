/** A bare server in Node that pipes files of a folder, its first argument. The port is sent as a message. */
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'

const [folder = '.'] = process.argv.slice(2)

const server = createServer((request, response) => {
  const path = join(folder, basename(request.url ?? ''))
  response.setHeader('content-length', statSync(path).size)
  createReadStream(path).pipe(response)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.(address.port)
})
