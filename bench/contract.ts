/**
 * `npm run bench:contract -- --requests 10000`: rows of the contract at random (test/contract), beside streams, to a service of its own.
 * Every answer must have the form that its row says. Prints those that have not, and exits with code 1 if there are any.
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillService } from '../test/contract/fill-service.ts'
import { walkAtRandom } from '../test/contract/random-walk.ts'
import { sequence } from '../test/support/sequence.ts'
import { integer } from './flags.ts'
import { withService } from './service/service.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    streams: { type: 'string', default: '16' },
    'at-once': { type: 'string', default: '16' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
})
const requests = integer('--requests', values.requests, 1)
const streams = integer('--streams', values.streams, 0)
const atOnce = integer('--at-once', values['at-once'], 1)

const seed = integer('--seed', values.seed, 0)

const scratch = mkdtempSync(join(tmpdir(), 'halocline-contract-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
const [dataDir, datasetsDir] = [join(scratch, 'data'), join(scratch, 'datasets')]
mkdirSync(datasetsDir)

await withService({ dataDir, datasetsDir, workers: 2 }, async (service) => {
  await service.ready()
  const url = `http://127.0.0.1:${service.port}`
  await fillService(url, datasetsDir, { isWhole: true, hasAnonymous: true })
  const walk = { requests, streams, atOnce, next: sequence('requests at random', seed) }
  const walked = await walkAtRandom({ url, base: '', hasCors: true }, walk)
  for (const fault of walked.faults) console.error(fault)
  console.log(
    `${requests} requests beside ${walked.streams} streams: ${walked.faults.length} of another form (--seed ${seed})`,
  )
  process.exitCode = walked.faults.length > 0 ? 1 : 0
})
