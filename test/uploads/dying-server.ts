/**
 * Child process: a server of uploads over a folder, which is killed at a call of the file system. `DIE_AT_CALL` is `before link`, `after
 * link` and so on. It prints its address.
 */
import { HOST_SYSTEM, type WritingSystem } from '../../src/main/dataset-files/file-calls.ts'
import { startFileServer } from './file-server.ts'

const [when, dyingCall] = (process.env['DIE_AT_CALL'] ?? '').split(' ')

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

const calls = Object.entries(HOST_SYSTEM).map(([name, call]) => [
  name,
  async (...args: readonly unknown[]) => {
    if (name === dyingCall && when === 'before') die()
    const result = await (call as (...args: readonly unknown[]) => Promise<unknown>)(...args)
    if (name === dyingCall && when === 'after') die()
    return result
  },
])

const [folder = ''] = process.argv.slice(2)
const { url } = await startFileServer(folder, { system: Object.fromEntries(calls) as WritingSystem })
process.stdout.write(`${url}\n`)
