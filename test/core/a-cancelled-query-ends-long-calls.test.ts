import t from 'tap'
import { type Aggregate, HALF } from '../../src/plan/task/finish.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { Column, Groups } from '../../src/wasm/core/column.ts'
import type { Core, CoreAggregate } from '../../src/wasm/core/core.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { generator } from '../support/generate.ts'

/** Rows between two questions whether the query was cancelled. */
const CHECKED_ROWS = 1 << 16
const QUESTIONS = 4
const ROWS = QUESTIONS * CHECKED_ROWS + 100

const u32: DataType = { kind: 'int', bits: 32, signed: false }
const utf8: DataType = { kind: 'utf8' }
const LETTERS = 14

/** Different numbers in no order, a few numbers, and texts that begin alike. */
function columnsOf(core: Core): { readonly numbers: Column; readonly few: Column; readonly texts: Column } {
  const numbers = Uint32Array.from({ length: ROWS }, (_, row) => Math.imul(row, 2654435761) >>> 0)
  const fixed = (values: Uint32Array): Column => {
    const buffers = [null, new Uint8Array(values.buffer)]
    return core.assemble({ layout: 'fixed', parameter: 4, rows: ROWS, buffers })
  }
  const text = Buffer.from(Array.from(numbers, (number) => String(number).padStart(LETTERS, 'x')).join(''))
  const offsets = Int32Array.from({ length: ROWS + 1 }, (_, row) => row * LETTERS)
  const buffers = [null, new Uint8Array(offsets.buffer), new Uint8Array(text)]
  return {
    numbers: fixed(numbers),
    few: fixed(numbers.map((number) => number % 7)),
    texts: core.assemble({ layout: 'utf8', parameter: 0, rows: ROWS, buffers }),
  }
}

const core = createCore({ maximumBytes: 512 << 20 })
const { numbers, few, texts } = columnsOf(core)

const ofNumbers = (kind: Aggregate['kind'], share = {}): CoreAggregate => ({ kind, type: u32, ...share })
const AGGREGATES: readonly CoreAggregate[] = [
  ofNumbers('sum'),
  ofNumbers('count_distinct'),
  ofNumbers('quantile_disc', { share: HALF, isDistinct: true }),
]

/** Calls `use` with a table of groups with all rows, or none, and frees it. */
function withGroups(key: Column, areIn: boolean, use: (groups: Groups) => void): void {
  const groups = core.groups([u32], AGGREGATES, 256 << 20)
  try {
    if (areIn) addRows(groups, key)
    use(groups)
  } finally {
    core.freeGroups(groups)
  }
}

function addRows(groups: Groups, key: Column): void {
  core.addRows(groups, [key], [numbers, numbers, numbers], ROWS, null)
}

const orderKey = (column: Column, type: DataType) => ({
  column,
  type,
  isDescending: false,
  areNullsFirst: false,
})

/** Long calls, each with what it needs. `during` is called around the call alone. */
const CALLS: Readonly<Record<string, (during: (call: () => void) => void) => void>> = {
  'rows into many groups': (during) =>
    withGroups(numbers, false, (groups) => during(() => addRows(groups, numbers))),
  'rows into few groups': (during) => withGroups(few, false, (groups) => during(() => addRows(groups, few))),
  'groups into groups': (during) =>
    withGroups(numbers, true, (from) => {
      const bytes = new Uint8Array(core.groupsBytes(from))
      withGroups(numbers, false, (groups) => during(() => core.addGroups(groups, bytes)))
    }),
  'distinct values and quantiles of few groups into groups': (during) =>
    withGroups(few, true, (from) => {
      const bytes = new Uint8Array(core.groupsBytes(from))
      withGroups(few, false, (groups) => during(() => core.addGroups(groups, bytes)))
    }),
  'a sort by numbers': (during) =>
    during(() => core.freeOrder(core.sort([orderKey(numbers, u32)], ROWS, null, ROWS))),
  'a sort by texts': (during) =>
    during(() => core.freeOrder(core.sort([orderKey(texts, utf8)], ROWS, null, ROWS))),
  'a sort by two keys': (during) =>
    during(() => core.freeOrder(core.sort([orderKey(few, u32), orderKey(texts, utf8)], ROWS, null, ROWS))),
  'the first rows of groups': (during) =>
    during(() => {
      const firsts = { most: 1, isNumbered: false }
      const keys = [{ column: numbers, type: u32 }]
      core.freeMask(core.firstRows(keys, [orderKey(texts, utf8)], ROWS, null, firsts).mask)
    }),
}

/** How often a call asks. It is cancelled from question `from` on. */
function questionsIn(call: (during: (call: () => void) => void) => void, from: number): number {
  let questions = 0
  call((work) => {
    core.watch(() => ++questions >= from)
    try {
      work()
    } finally {
      core.watch(null)
    }
  })
  return questions
}

for (const [what, call] of Object.entries(CALLS)) {
  t.test(`${what}: the call asks for each piece of its rows, and ends when it is told so`, async (t) => {
    const before = core.usedBytes()
    const questions = questionsIn(call, Number.POSITIVE_INFINITY)
    t.ok(questions >= QUESTIONS, `asks ${questions} times`)
    t.equal(core.usedBytes(), before)
    for (const from of [1, questions, 1 + generator(what)(questions)]) {
      t.throws(() => questionsIn(call, from), { code: 'cancelled' })
      t.equal(core.usedBytes(), before, 'nothing is left in memory')
    }
    t.equal(questionsIn(call, Number.POSITIVE_INFINITY), questions, 'the core goes on to work')
  })
}
