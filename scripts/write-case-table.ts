/**
 * Writes how DuckDB changes the case of characters as ranges for the core (`src/wasm/src/evaluate/kernels/case_table.rs`).
 * `node scripts/write-case-table.ts`
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testEngine } from '../test/sql/engine.ts'

/** Characters from `first` to `last`, each `step`th of which is moved by `distance`. */
interface Range {
  readonly first: number
  last: number
  step: number
  readonly distance: number
}

const { run } = await testEngine()

function rangesOf(name: 'lower' | 'upper'): readonly Range[] {
  const table = run(
    `SELECT c, unicode(${name}(chr(c::INTEGER)))::BIGINT AS changed FROM range(128, 1114112) t(c)
     WHERE (c < 55296 OR c > 57343) AND ${name}(chr(c::INTEGER)) <> chr(c::INTEGER) ORDER BY c`,
  )
  const ranges: Range[] = []
  for (const { c, changed } of table.toArray()) {
    const [code, distance] = [Number(c), Number(changed) - Number(c)]
    const last = ranges.at(-1)
    const step = last === undefined ? 0 : code - last.last
    const isNext = last !== undefined && last.distance === distance && step <= 2
    if (isNext && (last.first === last.last || last.step === step)) {
      last.step = step
      last.last = code
    } else ranges.push({ first: code, last: code, step: 1, distance })
  }
  return ranges
}

const listOf = (name: 'lower' | 'upper'): string =>
  rangesOf(name)
    .map(({ first, last, step, distance }) => `    (${first}, ${last}, ${step}, ${distance}),\n`)
    .join('')

writeFileSync(
  join(import.meta.dirname, '../src/wasm/src/evaluate/kernels/case_table.rs'),
  `//! How DuckDB changes the case of characters that are not ASCII. Written by \`scripts/write-case-table.ts\`.

/** The first and the last character, which one of them are moved (1: each, 2: every other), and how far. */
pub type Range = (u32, u32, u32, i32);

pub const LOWER: &[Range] = &[
${listOf('lower')}];

pub const UPPER: &[Range] = &[
${listOf('upper')}];
`
    .replace('/** The first', '/// The first')
    .replace('how far. */', 'how far.'),
)
