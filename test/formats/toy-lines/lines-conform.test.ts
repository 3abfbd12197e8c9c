import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Int64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { conformance, type Sample } from '../conformance.ts'
import { createLines } from './lines.ts'

/** Writes a file of these lines, and beside it the rows that a trusted reader gives: here the test knows them itself. */
function sample(name: string, lines: readonly string[], skip = 0): Sample {
  const folder = t.testdirName
  mkdirSync(folder, { recursive: true })
  const text = lines.map((line) => `${line}\n`).join('')
  const location = join(folder, name)
  writeFileSync(location, `#lines ${lines.length} ${Buffer.byteLength(text)}\n${text}`)
  const expected = `${location}.expected.arrow.gz`
  const rows = new Table({
    number: vectorFromArray(
      lines.slice(skip).map((_, row) => BigInt(skip + row + 1)),
      new Int64(),
    ),
    text: vectorFromArray(lines.slice(skip), new Utf8()),
  })
  writeFileSync(expected, gzipSync(tableToIPC(rows, 'stream')))
  return { name, location, expected }
}

const MANY = Array.from({ length: 1000 }, (_, line) => 'é'.repeat(line % 7))

t.testdir({})
t.test('all lines', (t) =>
  conformance(t, {
    provider: createLines(0),
    samples: [sample('none', []), sample('few', ['a', '', 'c, d']), sample('many', MANY)],
    damages: 48,
  }),
)

t.test('without the first ones', (t) =>
  conformance(t, { provider: createLines(3), samples: [sample('skipped', MANY, 3)], damages: 8 }),
)
