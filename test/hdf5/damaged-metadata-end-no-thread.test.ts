import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createScheduler } from '../../src/main/dispatch/scheduler.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { versionOf } from '../../src/plan/source/version.ts'
import type { InspectAnswer } from '../../src/plan/task/task.ts'
import { TEST_LIMITS } from '../dispatch/limits.ts'
import { generator } from '../support/generate.ts'
import { fixture } from './describe.ts'

const FILES = [
  'groups',
  'attributes-earliest',
  'attributes-v200',
  'layouts-v108',
  'links',
  'compound',
  'kinds-v200',
  'shared-few',
]

/** Damages of each file. */
const DAMAGES = 32

t.test('a damaged file is read, or refused with its name', async (t) => {
  const failures: Error[] = []
  const scheduler = createScheduler({
    workers: 1,
    product: { name: 'service', version: '0' },
    entry: new URL('../../src/workers/worker.ts', import.meta.url),
    limits: { ...TEST_LIMITS, coreBytes: 1 << 24, heapMegabytes: 256, maxChunkBytes: 1 << 28 },
    maximumQueries: 100,
    onWorkerFailure: (_, error) => failures.push(error),
    onWorkerReplaced: () => failures.push(new Error('the worker is gone')),
  })
  t.teardown(() => scheduler.close())
  const ticket = scheduler.admit()
  const format = FORMATS.withOptions(FORMATS.row('hdf5'))
  const location = join(t.testdir({}), 'damaged.h5')
  const random = generator('damages')
  let read = 0
  for (const name of FILES) {
    const whole = readFileSync(fixture(`${name}.h5`))
    for (let damage = 0; damage < DAMAGES; damage++) {
      writeFileSync(location, damaged(whole, damage, random))
      const version = versionOf(statSync(location, { bigint: true }))
      const file = { path: 'damaged.h5', location, version }
      const { answer } = await ticket.run<InspectAnswer>({
        kind: 'inspect',
        format,
        files: [file],
        statistics: [],
        columns: [],
        areMany: false,
        caching: false,
        cancel: ticket.cancel,
      })
      const [inspected] = answer.files
      if (inspected?.kind === 'summary') read++
      else if (inspected?.kind !== 'failed' || inspected.error.code !== 'unreadable_file')
        t.fail(`${name}, damage ${damage}: ${JSON.stringify(inspected)}`)
      else if (!inspected.error.message.includes('"damaged.h5"')) t.fail(inspected.error.message)
    }
  }
  t.ok(read > 0, 'some damages do not matter')
  t.same(failures, [], 'the thread did not die')
})

/** Changes up to eight bytes, or cuts the file. */
function damaged(whole: Buffer, damage: number, random: (below: number) => number): Buffer {
  if (damage % 8 === 0) return whole.subarray(0, random(whole.length))
  const bytes = Buffer.from(whole)
  for (let each = 0; each < 1 + (damage % 8); each++) bytes[random(bytes.length)] = random(256)
  return bytes
}
