import t from 'tap'
import { createAffinity } from '../../src/main/dispatch/workers/affinity.ts'
import type { BoxUnit } from '../../src/plan/source/unit.ts'
import type { ScanAnswer, ScanTask } from '../../src/plan/task/task.ts'
import { NO_METRICS, taskFor } from './tasks.ts'

const CANCEL = new SharedArrayBuffer(4)

/** A task of elements of 22 chunks of one index each along the first axis. */
function taskOf(origin: readonly number[], extent: readonly number[]): ScanTask {
  const tile = { origin: [0, 180, 360], bytes: 22 * 259_200 }
  const unit: BoxUnit = {
    kind: 'box',
    file: 0,
    dimensions: [0, 1, 2],
    origin,
    extent,
    decodedBytes: 88,
    tile,
  }
  return { ...taskFor('ok', CANCEL), unit, fragment: { kind: 'count' } }
}

function answerOf(metrics: Partial<ScanAnswer['metrics']>): ScanAnswer {
  const all = { ...NO_METRICS, unitsRead: 1, ...metrics }
  return { kind: 'rows', parts: [], skipped: 0, resume: null, metrics: all }
}

const POINT = taskOf([0, 200, 500], [22, 1, 1])
const OTHER_POINT = taskOf([0, 210, 510], [22, 1, 1])
const BOX = taskOf([0, 200, 500], [22, 100, 100])

t.test('a task whose chunks are kept is quick, and one of other elements of them', async (t) => {
  const affinity = createAffinity()
  affinity.note(POINT, answerOf({ chunkHits: 22, decodeMs: 0.2 }), 0)
  t.ok((affinity.quickMs(OTHER_POINT) ?? 0) >= 0.2)
  t.equal(affinity.quickMs(BOX), undefined, 'more elements take longer')
})

t.test('a task that inflates chunks, or makes much of them, is not', async (t) => {
  const affinity = createAffinity()
  affinity.note(POINT, answerOf({ chunkHits: 21, chunkMisses: 1 }), 0)
  t.equal(affinity.quickMs(POINT), undefined)
  affinity.note(BOX, answerOf({ chunkHits: 22, decodeMs: 20 }), 0)
  t.equal(affinity.quickMs(BOX), undefined)
})
