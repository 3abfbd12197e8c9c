import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { TestService } from '../e2e/service.ts'
import { writeChunk, writeDocument } from '../formats/toy-folder/write.ts'
import { below, numbersOf, startToyService } from './toy-service.ts'

const SEGMENTS = 12
const VERSIONS = 25

const ENGINES = {
  JSON: { from: { toy: { paths: ['one.toy'] } }, select: ['a'] },
  groups: { sql: "SELECT a FROM read_toy('one.toy') GROUP BY a ORDER BY a DESC" },
  DuckDB: { sql: "SELECT a + 0 * random() AS a FROM read_toy('one.toy')" },
}

/**
 * The version of the first segment in an answer. Null: the query was refused or broke off. Fails the test unless the answer
 * is one state of the folder: segments are rewritten one after the other, so in every state the first ones have one version,
 * and the others the version before.
 */
async function stateOf(t: Test, service: TestService, engine: keyof typeof ENGINES): Promise<number | null> {
  const response = await service.query(ENGINES[engine])
  const values = response.status === 200 ? await numbersOf(response).catch(() => null) : null
  if (values === null) {
    await response.body?.cancel().catch(() => {})
    return null
  }
  const [first = -1] = values
  const isState = values.every((value, row) => value <= (values[row - 1] ?? first) && value >= first - 1)
  if (!isState) t.fail(`${engine} gives a mixture: ${values.join()}`)
  return first
}

t.test('whose objects are rewritten and replaced while it is queried', async (t) => {
  const service = await startToyService(t)
  const folder = below(service, 'one.toy')
  const write = (segment: number, version: number): void => {
    const key = `a/${segment}`
    const isInPlace = version % 2 === 0
    writeChunk(folder, isInPlace ? key : `${key}.new`, version)
    if (!isInPlace) renameSync(join(folder, `${key}.new`), join(folder, key))
  }
  for (let segment = 0; segment < SEGMENTS; segment++) write(segment, 0)
  writeDocument(folder, 'toy.json', { columns: ['a'], segments: SEGMENTS, rows: 4 })
  let isWriting = true
  let answered = 0
  const engines = Object.keys(ENGINES) as (keyof typeof ENGINES)[]
  const clients = engines.map(async (engine) => {
    while (isWriting) if ((await stateOf(t, service, engine)) !== null) answered++
  })
  for (let version = 1; version <= VERSIONS; version++)
    for (let segment = 0; segment < SEGMENTS; segment++) {
      write(segment, version)
      // Time itself: some queries run in each state.
      if (segment % 4 === version % 4) await setTimeout(20)
    }
  isWriting = false
  await Promise.all(clients)
  t.ok(answered > 0)
  for (const engine of engines)
    t.equal(await stateOf(t, service, engine), VERSIONS, 'the last state is seen by the next query')
})
