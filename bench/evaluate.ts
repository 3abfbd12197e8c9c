/**
 * Measures the evaluator of the WASM core without the service, in nanoseconds for a row, beside plain loops of Rust that compute the
 * same (`bench/floor/floor.rs`, built here if there is a compiler). Units of 100 000 rows, as many as 2.5 million rows have, by turns.
 * `node bench/evaluate.ts [the beginning of a name]`
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  callExpression,
  columnExpression,
  constantExpression,
  type Expression,
  type TypedExpression,
} from '../src/plan/expression.ts'
import type { DataType } from '../src/plan/types/schema.ts'
import type { Column } from '../src/wasm/core/column.ts'
import { createCore } from '../src/wasm/core/create-core.ts'
import { bitmap, type CArray, place } from '../test/core/c-array.ts'

/** A multiple of 64, so that no word of the loops' validity is cut. */
const ROWS = 100_032
const UNITS = 25
const ROUNDS = 15

const DOUBLE: DataType = { kind: 'float', bits: 64 }
const BIGINT: DataType = { kind: 'int', bits: 64, signed: true }
const INTEGER: DataType = { kind: 'int', bits: 32, signed: true }
const BOOLEAN: DataType = { kind: 'bool' }
const TIMESTAMP: DataType = { kind: 'timestamp', unit: 'microsecond', zone: null }
const NANOSECONDS: DataType = { kind: 'timestamp', unit: 'nanosecond', zone: null }

const core = createCore({ maximumBytes: 512 << 20 })
let seed = 1
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
const floats = Float64Array.from({ length: ROWS }, () => random() * 30)
/** Of the years from 2020 to 2024. */
const times = BigInt64Array.from({ length: ROWS }, () =>
  BigInt(Math.floor((1_577_836_800 + random() * 157_766_400) * 1e6)),
)
const small = BigInt64Array.from({ length: ROWS }, () => BigInt(Math.floor(random() * 48)))
const known = bitmap(Array.from({ length: ROWS }, () => random() > 0.02))

const column = (format: string, values: ArrayBufferView, type: DataType, nulls: boolean): Column => {
  const array: CArray = { format, length: ROWS, buffers: [nulls ? known : null, values] }
  const { memory, array: address, schema } = place(array)
  return core.importArray(memory, address, schema, type)
}

const typed = (expression: Expression): TypedExpression => expression as TypedExpression
const call = (name: string, type: DataType, ...args: readonly Expression[]): TypedExpression =>
  typed(callExpression(name, args, type))
const double = (value: number): Expression => constantExpression({ kind: 'float', value }, DOUBLE)
const int = (value: number, type: DataType): Expression =>
  constantExpression({ kind: 'int', value: BigInt(value) }, type)
const part = (name: string): Expression =>
  constantExpression({ kind: 'bytes', value: Buffer.from(name) }, { kind: 'utf8' })

const x = columnExpression('x', DOUBLE)
const t = columnExpression('t', TIMESTAMP)
const ns = columnExpression('ns', NANOSECONDS)
const i = columnExpression('i', BIGINT)
const TYPES: Readonly<Record<string, DataType>> = { x: DOUBLE, t: TIMESTAMP, ns: NANOSECONDS, i: BIGINT }

/** What is measured, and the loop that computes the same. */
const CASES: readonly (readonly [name: string, expression: TypedExpression, loop: string | null])[] = [
  [
    'floor(x / 5) * 5',
    call('*', DOUBLE, call('floor', DOUBLE, call('/', DOUBLE, x, double(5))), double(5)),
    'cell',
  ],
  ['CASE WHEN x > 10', call('case', DOUBLE, call('>', BOOLEAN, x, double(10)), double(1), double(2)), 'case'],
  ['round(x, 1)', call('round', DOUBLE, x, int(1, INTEGER)), 'rounded'],
  ['month(t)', call('month', BIGINT, t), 'month'],
  ['month(t), nanoseconds', call('month', BIGINT, ns), null],
  ['hour(t)', call('hour', BIGINT, t), null],
  ["date_trunc('month', t)", call('date_trunc', TIMESTAMP, part('month'), t), null],
  ["date_trunc('day', t)", call('date_trunc', TIMESTAMP, part('day'), t), null],
  [
    'i IN (1, 5, 9, 13, 21, 34)',
    call('in', BOOLEAN, i, ...[1, 5, 9, 13, 21, 34].map((n) => int(n, BIGINT))),
    'among',
  ],
  ['x * 1.8 + 32', call('+', DOUBLE, call('*', DOUBLE, x, double(1.8)), double(32)), null],
  ['i * i', call('*', BIGINT, i, i), null],
  ['floor(x)::INTEGER', call('cast', INTEGER, call('floor', DOUBLE, x)), null],
  ['i::DOUBLE', call('cast', DOUBLE, i), null],
]

type Loop = (rows: number, nulls: number) => void

/** The plain loops over the same values. Null: there is no compiler. */
function buildLoops(): Readonly<Record<string, Loop>> | null {
  const folder = mkdtempSync(join(tmpdir(), 'floor-'))
  const version = spawnSync('/usr/bin/rustc', ['-vV'], { encoding: 'utf8' }).stdout ?? ''
  const hash = /commit-hash: (\w+)/.exec(version)?.[1]
  const sysroot = join(homedir(), `.cache/halocline/sysroot-${hash}`)
  const flags = ['--target', 'wasm32-unknown-unknown', '--crate-type', 'cdylib', '--edition', '2024', '-O']
  const { status } = spawnSync('/usr/bin/rustc', [
    ...['--sysroot', sysroot, ...flags, '-Ctarget-feature=+simd128', '-Cpanic=abort', '-Clinker=wasm-ld-22'],
    ...[join(import.meta.dirname, 'floor/floor.rs'), '-o', join(folder, 'floor.wasm')],
  ])
  if (status !== 0) return null
  const instance = new WebAssembly.Instance(
    new WebAssembly.Module(readFileSync(join(folder, 'floor.wasm'))),
    {},
  )
  const exported = instance.exports as Record<string, Loop> & { memory: WebAssembly.Memory }
  const write = (name: string, values: ArrayBufferView): void => {
    const address = (exported[name] as unknown as () => number)()
    const { buffer, byteOffset, byteLength } = values
    new Uint8Array(exported.memory.buffer).set(new Uint8Array(buffer, byteOffset, byteLength), address)
  }
  write('floats', floats)
  write('times', times)
  write('known', known)
  const months = Array.from({ length: 4096 }, (_, day) =>
    BigInt(new Date((17_000 + day) * 86_400_000).getUTCMonth() + 1),
  )
  write('months', BigInt64Array.from(months))
  return exported
}

/** The least time of each of several steps, which take turns, in nanoseconds for a row. */
function leastTimes(steps: readonly (() => void)[]): readonly number[] {
  const taken = steps.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, step] of steps.entries()) {
      const start = performance.now()
      for (let unit = 0; unit < UNITS; unit++) step()
      taken[index]?.push(((performance.now() - start) * 1e6) / (UNITS * ROWS))
    }
  return taken.map((times) => Math.min(...times))
}

const loops = buildLoops()
console.log(`${'ns a row'.padEnd(34)} core   loop   core with nulls   loop`)
const [asked = ''] = process.argv.slice(2)
for (const [name, expression, loop] of CASES.filter(([name]) => name.startsWith(asked))) {
  const shown = [false, true].flatMap((nulls) => {
    const columns: Readonly<Record<string, Column>> = {
      x: column('g', floats, DOUBLE, nulls),
      t: column('l', times, TIMESTAMP, nulls),
      ns: column(
        'l',
        times.map((time) => time * 1000n),
        NANOSECONDS,
        nulls,
      ),
      i: column('l', small, BIGINT, nulls),
    }
    const rows = {
      rows: ROWS,
      mask: null,
      column: (of: string) => ({ column: columns[of] as Column, type: TYPES[of] as DataType }),
      checkCancelled() {},
    }
    const evaluate = (): void => {
      if (expression.type.kind === 'bool') core.freeMask(core.evaluateMask(expression, rows))
      else for (const result of core.evaluate([expression], rows)) core.free(result)
    }
    const plain = loop === null ? undefined : loops?.[loop]
    const taken = leastTimes([evaluate, ...(plain ? [() => plain(ROWS, Number(nulls))] : [])])
    for (const each of Object.values(columns)) core.free(each)
    return [taken[0], taken[1]]
  })
  const cells = shown.map((ns) => (ns === undefined ? '' : ns.toFixed(2)).padStart(6))
  console.log(
    `${name.padEnd(32)} ${cells[0]} ${cells[1]} ${cells[2]?.padStart(13)} ${cells[3]?.padStart(10)}`,
  )
}
