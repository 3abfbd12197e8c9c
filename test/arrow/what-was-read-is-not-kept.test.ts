// In a process of its own: it collects garbage, and waits until memory is free.
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Dictionary, Int32, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { arrow } from '../../src/workers/formats/arrow/arrow.ts'
import { memoryStore } from '../../src/workers/store/memory-store.ts'
import { context, core } from './reading.ts'

const VERSION = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }
const FILE = { path: 'memory', location: 'memory', version: VERSION }
const ROWS = 1000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

t.test('by its dictionaries, which are views of it', async (t) => {
  const colours = Array.from({ length: ROWS }, (_, i) => `colour ${i % 3}`)
  const column = vectorFromArray(colours, new Dictionary(new Utf8(), new Int32()))
  const stream = tableToIPC(new Table({ colour: column }), 'stream')
  const readOnce = (): WeakRef<ArrayBufferLike> => {
    const bytes = stream.slice()
    const source = memoryStore(bytes, FILE)
    const { schema, read } = arrow.open(source, context)
    const range = { kind: 'rows', segment: 0, from: 0, to: ROWS } as const
    for (const each of read(source, range, schema.fields, context).columns) core.free(each)
    return new WeakRef(bytes.buffer)
  }
  const streams = Array.from({ length: 8 }, readOnce)
  // A weak reference holds what it refers to until the end of the job that made it.
  await setImmediate()
  collectGarbage()
  t.same(
    streams.filter((each) => each.deref() !== undefined),
    [],
  )
})
