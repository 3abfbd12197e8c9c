import { renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { TestService } from '../e2e/service.ts'
import { removeObject, writeChunk, writeDocument } from '../formats/toy-folder/write.ts'
import { untilSettled } from '../support/settled.ts'
import { below, startToyService } from './toy-service.ts'

/** 48 MB of rows: more than the service reads ahead for a client that does not read. */
const SEGMENTS = 30
const ROWS = 200_000
const LAST = `a/${SEGMENTS - 1}`

const ENGINES = {
  JSON: { from: { toy: { paths: ['one.toy'] } }, select: ['a'] },
  DuckDB: { sql: "SELECT a + 0 * random() AS a FROM read_toy('one.toy')" },
}

const CHANGES: Record<string, (folder: string) => void> = {
  rewritten: (folder) => writeChunk(folder, LAST, 7, ROWS),
  removed: (folder) => removeObject(folder, LAST),
  'there where none was': (folder) => writeChunk(folder, 'b/0', 7, ROWS),
  'in another folder, as old as it was': (folder) => {
    renameSync(join(folder, 'a'), join(folder, 'old'))
    renameSync(join(folder, 'old'), join(folder, 'a'))
  },
  'defined by another document': (folder) => writeDocument(folder, 'toy.json', marker(SEGMENTS + 1)),
}

const marker = (segments: number) => ({ columns: ['a', 'b'], segments, rows: ROWS })

async function largeToy(t: Test): Promise<{ readonly service: TestService; readonly folder: string }> {
  const service = await startToyService(t)
  const folder = below(service, 'one.toy')
  for (let segment = 0; segment < SEGMENTS; segment++) writeChunk(folder, `a/${segment}`, segment, ROWS)
  writeDocument(folder, 'toy.json', marker(SEGMENTS))
  await untilSettled(folder)
  return { service, folder }
}

/** Reads the first bytes of an answer, runs `work`, and reads the rest. Rejects if the answer breaks off. */
async function readWhile(service: TestService, query: object, work: () => void): Promise<number> {
  const { body, status } = await service.query(query)
  if (status !== 200 || body === null) throw new Error(`status ${status}`)
  let bytes = 0
  for await (const chunk of body) {
    if (bytes === 0) work()
    bytes += chunk.length
  }
  return bytes
}

for (const [engine, query] of Object.entries(ENGINES))
  t.test(engine, async (t) => {
    const { service, folder } = await largeToy(t)
    t.ok((await readWhile(service, query, () => {})) > 8 * ROWS * SEGMENTS)
    for (const [change, make] of Object.entries(CHANGES)) {
      const isRead = change !== 'there where none was'
      const read = readWhile(service, isRead ? query : { ...query, ...both(engine) }, () => make(folder))
      await t.rejects(read, { message: /terminated/ }, `an object that is ${change}`)
      rmSync(join(folder, 'b'), { recursive: true, force: true })
      writeChunk(folder, LAST, 7, ROWS)
      writeDocument(folder, 'toy.json', marker(SEGMENTS))
      await untilSettled(folder)
    }
    const untouched = readWhile(service, query, () => utimesSync(join(folder, 'a'), 1, 1))
    await t.rejects(untouched, 'a folder that is changed itself may be another one')
    t.ok(
      await readWhile(service, query, () => writeChunk(folder, 'c/0', 1)),
      'one that is not read may change',
    )
  })

/** A query that also reads the column that has no objects. */
function both(engine: string): object {
  return engine === 'JSON'
    ? { select: ['a', 'b'] }
    : { sql: "SELECT a + 0 * random() AS a, b FROM read_toy('one.toy')" }
}
