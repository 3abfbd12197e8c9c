import t from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import type { Grouping } from '../../src/plan/task/finish.ts'
import type { Part } from '../../src/plan/task/part.ts'
import type { MergeTask } from '../../src/plan/task/task.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createWorker } from '../../src/workers/create-worker.ts'
import { PROVIDERS } from '../../src/workers/formats/providers.ts'
import { perform } from '../../src/workers/tasks/perform.ts'

const ROWS = 1 << 18
const u32: DataType = { kind: 'int', bits: 32, signed: false }
const GROUPING: Grouping = { keys: [0], aggregates: [], having: null, computed: [] }

/** A table of groups as another worker sends it. */
function groupsPart(): Part {
  const core = createCore({ maximumBytes: 64 << 20 })
  const numbers = Uint32Array.from({ length: ROWS }, (_, row) => row)
  const buffers = [null, new Uint8Array(numbers.buffer)]
  const column = core.assemble({ layout: 'fixed', parameter: 4, rows: ROWS, buffers })
  const groups = core.groups([u32], [], 64 << 20)
  core.addRows(groups, [column], [], ROWS, null)
  return { rows: ROWS, from: 0, payload: { kind: 'groups', bytes: core.groupsBytes(groups) } }
}

t.test('the flag of a task ends a call that has begun', async (t) => {
  const cancel = new SharedArrayBuffer(4)
  const limits = { coreBytes: 64 << 20, sqlBytes: 0, columnBytes: 0, maxChunkBytes: 0 }
  const worker = createWorker(
    { ...limits, product: { name: 'service', version: '0' } },
    { formats: FORMATS, providers: PROVIDERS },
  )
  const { core } = worker.state
  const task: MergeTask = {
    kind: 'merge',
    fragment: { kind: 'groups', grouping: GROUPING },
    fields: [field('n', u32)],
    parts: [groupsPart()],
    cancel,
  }
  /** What the worker answers if the flag is set when the core is called. */
  const answer = (isSet: boolean) => {
    const setting = {
      ...core,
      addGroups(...given: Parameters<typeof core.addGroups>) {
        Atomics.store(new Int32Array(cancel), 0, Number(isSet))
        core.addGroups(...given)
      },
    }
    return perform(task, { ...worker, state: { ...worker.state, core: setting } })
  }
  t.match(answer(true), { kind: 'failed', error: { code: 'cancelled' } })
  Atomics.store(new Int32Array(cancel), 0, 0)
  t.match(answer(false), { kind: 'rows', parts: [{ rows: ROWS }] }, 'the worker goes on to work')
})
