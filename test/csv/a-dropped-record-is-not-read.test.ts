import t from 'tap'
import { all, any } from '../../src/plan/condition/combine.ts'
import { type Condition, compare } from '../../src/plan/condition/condition.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { ScanSpec } from '../../src/plan/scan.ts'
import type { TextUnit } from '../../src/plan/source/unit.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { createCsv } from '../../src/workers/formats/csv/csv.ts'
import { CSV_LIMITS } from '../../src/workers/formats/csv/limits.ts'
import { csvOptions } from '../../src/workers/formats/csv/options.ts'
import { decodeUnit } from '../../src/workers/units/decode-unit.ts'
import { csvFormat } from '../formats/product.ts'
import { segmentsIn } from '../formats/segments.ts'
import { columnValues, encode, type Value } from '../formats/values.ts'
import { type CsvCase, context, openCsv } from './read.ts'

const INT64: DataType = { kind: 'int', bits: 64, signed: true }
const TYPES: Readonly<Record<string, DataType>> = { id: INT64, value: INT64, name: { kind: 'utf8' } }

/** Rows that pass, column by column, or the message of the error. */
function select(text: string, names: readonly string[], filter: Condition, limits: CsvCase['limits'] = {}) {
  const { core } = context
  const { file, source } = openCsv(text, { inferRecords: 1, limits })
  const fields = names.map((name) => field(name, TYPES[name] ?? INT64))
  const scan: ScanSpec = {
    format: csvFormat(),
    columns: Object.entries(TYPES).map(([name, type]) => ({ name, type })),
    filter,
    projection: fields.map((each) => ({ expression: columnExpression(each.name, each.type), field: each })),
  }
  const values: Value[][] = names.map(() => [])
  let begin: number | null = null
  try {
    for (const segment of segmentsIn(file).keys()) {
      const unit: TextUnit = { kind: 'text', file: 0, segment, begin, decodedBytes: 0 }
      const { rows, columns, mask, span } = decodeUnit(scan, unit, file, null, source, context)
      begin = span?.ended ?? null
      t.equal(mask, null)
      if (columns.length > 0)
        columnValues(encode(core, columns, fields, rows)).forEach((each, i) => {
          values[i]?.push(...each)
        })
      for (const column of new Set(columns)) core.free(column)
    }
    return values
  } catch (error) {
    if (isServiceError(error)) return error.message
    throw error
  } finally {
    t.equal(core.usedBytes(), 0)
  }
}

const LIMITS = [{}, { firstBlock: 1, block: 1 }, { firstBlock: 9, block: 20, tail: 3 }]

function equal(column: string, value: bigint): Condition {
  const operand = columnExpression(column, INT64)
  return compare(operand, 'eq', { kind: 'int', value })
}

const TEXT = 'id,value,name\n1,10,a\n2,none,b\n3,30,"c ""d"""\n\n1,40,\n2,50,\xe9\n'

t.test('the rows that pass are the same however the file is cut', async (t) => {
  for (const limits of LIMITS) {
    t.strictSame(select(TEXT, ['name', 'value', 'id'], equal('id', 1n), limits), [
      ['a', null],
      [10n, 40n],
      [1n, 1n],
    ])
    t.strictSame(select(TEXT, ['name', 'name'], equal('id', 3n), limits), [['c "d"'], ['c "d"']])
    t.strictSame(select(TEXT, ['name'], equal('id', 7n), limits), [[]])
  }
})

t.test('a field that is no value is an error where its record passes, or the filter needs it', async (t) => {
  const misfit = /column "value": line 3: "none" is no Int64/
  for (const limits of LIMITS) {
    t.match(select(TEXT, ['value'], equal('id', 2n), limits), misfit)
    t.match(select(TEXT, ['id'], equal('value', 10n), limits), misfit)
    t.strictSame(select(TEXT, ['id'], equal('id', 2n), limits), [[2n, 2n]])
  }
})

t.test('conditions are gone through in their order', async (t) => {
  const misfit = /column "value": line 3: "none" is no Int64/
  const [id, value] = [equal('id', 1n), equal('value', 40n)]
  for (const limits of LIMITS) {
    t.strictSame(select(TEXT, ['value', 'name'], all([id, value]), limits), [[40n], [null]])
    t.match(select(TEXT, ['name'], all([value, id]), limits), misfit)
    t.match(select(TEXT, ['name'], any([id, value]), limits), misfit)
    t.strictSame(select(TEXT, ['id'], all([id, id, equal('id', 2n), value]), limits), [[]])
  }
})

t.test('a record of another length is an error whether it passes or not', async (t) => {
  for (const limits of LIMITS)
    t.match(select(`${TEXT}4,5\n`, ['id'], equal('id', 1n), limits), /line 8 has 2 fields, the header has 3/)
})

t.test('a worker that has not inferred the columns filters, too', async (t) => {
  const { source } = openCsv('id,name\n1,a\n2,b\n')
  const file = createCsv(csvOptions({ infer_records: 1 }), CSV_LIMITS).open(source, context)
  const scan: ScanSpec = {
    format: csvFormat(),
    columns: [{ name: 'id', type: INT64 }],
    filter: equal('id', 2n),
    projection: [{ expression: columnExpression('id', INT64), field: field('id', INT64) }],
  }
  const unit: TextUnit = { kind: 'text', file: 0, segment: 0, begin: null, decodedBytes: 0 }
  const { rows, columns } = decodeUnit(scan, unit, file, null, source, context)
  t.equal(rows, 1)
  for (const column of new Set(columns)) context.core.free(column)
})
