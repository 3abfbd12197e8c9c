/**
 * Measures the WASM core without the service: importing, filtering and encoding batches of 100 000 rows, in MB/s of their
 * columns. `npx node bench/core.ts`
 */
import type { DataType } from '../src/plan/types/schema.ts'
import { createCore } from '../src/wasm/core/create-core.ts'
import { bitmap, type CArray, place, texts } from '../test/core/c-array.ts'

const ROWS = 100_000
const COLUMNS = 8
const ROUNDS = 41

const f64: DataType = { kind: 'float', bits: 64 }
const utf8: DataType = { kind: 'utf8' }
const core = createCore({ maximumBytes: 512 << 20 })

let seed = 1
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
const noise = Float64Array.from({ length: ROWS }, random)
const ramp = Float64Array.from({ length: ROWS }, (_, i) => i / ROWS)
const values = (array: Float64Array): CArray => ({
  format: 'g',
  length: ROWS,
  nullCount: 0,
  buffers: [null, array],
})
const nullable: CArray = {
  format: 'g',
  length: ROWS,
  buffers: [bitmap(Array.from(noise, (value) => value > 0.1)), noise],
}
const words = Array.from({ length: ROWS }, (_, i) => `station ${i % 977}`)
const text: CArray = { format: 'u', length: ROWS, nullCount: 0, buffers: [null, ...texts(words)] }

/** Runs a step many times and prints its median time, and the rate for so many megabytes. */
function measure(name: string, megabytes: number, step: () => void): void {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    step()
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const ms = times[ROUNDS >> 1] ?? 0
  console.log(
    `${name.padEnd(46)} ${ms.toFixed(3).padStart(8)} ms ${((megabytes / ms) * 1000).toFixed(0).padStart(7)} MB/s`,
  )
}

const MB = (ROWS * 8) / 1e6
const cases: readonly [string, CArray, DataType, number][] = [
  ['float64', values(noise), f64, MB],
  ['float64 with nulls', nullable, f64, MB],
  ['text', text, utf8, (text.buffers[2]?.byteLength ?? 0) / 1e6 + ROWS * 4e-6],
]
const float = (value: number) => ({ kind: 'float', value }) as const

for (const [name, array, type, megabytes] of cases) {
  const { memory, array: address, schema } = place(array)
  measure(`import ${name}`, megabytes, () => core.free(core.importArray(memory, address, schema, type)))
  const column = core.importArray(memory, address, schema, type)
  const order = core.importArray(...at(place(values(noise))), f64)
  const smooth = core.importArray(...at(place(values(ramp))), f64)
  for (const part of [0.01, 0.1, 0.5, 0.9, 1]) {
    const mask = core.compare(order, f64, 'lt', float(part))
    measure(`encode ${name}, ${part * 100} % at random`, megabytes * part, () => {
      for (let from = 0; from < ROWS; ) {
        from = core.encodeBatch([column], [type], ROWS, part === 1 ? null : mask, from, 65_536, 16 << 20).next
      }
    })
    core.freeMask(mask)
  }
  const mask = core.between(smooth, f64, float(0.25), float(0.75))
  measure(`encode ${name}, 50 % in one run`, megabytes / 2, () => {
    core.encodeBatch([column], [type], ROWS, mask, 0, 65_536, 16 << 20)
  })
  measure(`csv ${name}`, megabytes, () => core.encodeCsv([column], [type], ROWS, null, 0, ROWS, 1 << 30))
  if (type === f64) {
    measure(`between ${name}`, megabytes, () =>
      core.freeMask(core.between(column, f64, float(0.2), float(0.7))),
    )
  } else {
    const value = { kind: 'bytes', value: Buffer.from('station 500') } as const
    measure(`equal ${name}`, megabytes, () => core.freeMask(core.compare(column, type, 'eq', value)))
    measure(`less ${name}`, megabytes, () => core.freeMask(core.compare(column, type, 'lt', value)))
  }
}

const placed = Array.from({ length: COLUMNS }, (_, i) => place(values(i === 0 ? noise : ramp)))
const types = placed.map(() => f64)
for (const part of [0.01, 0.1, 0.5, 1]) {
  measure(`import, filter, encode 8 columns, ${part * 100} %`, MB * COLUMNS, () => {
    const columns = placed.map((each) => core.importArray(...at(each), f64))
    const mask = core.compare(columns[0] ?? (columns[1] as never), f64, 'lt', float(part))
    for (let from = 0; from < ROWS; ) {
      from = core.encodeBatch(columns, types, ROWS, mask, from, 65_536, 16 << 20).next
    }
    core.freeMask(mask)
    for (const column of columns) core.free(column)
  })
}

function at(each: ReturnType<typeof place>): [WebAssembly.Memory, number, number] {
  return [each.memory, each.array, each.schema]
}
