import t from 'tap'
import { createFigures } from '../../src/main/history/figures.ts'
import { explain, explainAnalyzed } from '../../src/main/query/explain/explain.ts'
import { printExpression } from '../../src/main/query/explain/print-expression.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { filterOf, planOf } from './bound.ts'

const version = { device: 1n, inode: 1n, size: 1n, mtimeNs: 1n, ctimeNs: 1n }
const file = (path: string): FileRef => ({ path, location: `/data/${path}`, version })

const COLUMNS = {
  temperature: { kind: 'float', bits: 32 },
  'depth (m)': { kind: 'int', bits: 16, signed: true },
} as const

t.test('limit, projection, filter and scan, from the outside in', async (t) => {
  const plan = planOf(
    {
      select: [
        { column: 'temperature', alias: 'temp' },
        { value: 'x', alias: 'ship' },
      ],
      filters: [{ column: 'temperature', gt: 0.7 }, { is_not_null: { column: 'depth (m)' } }],
      offset: 5,
      limit: 10,
    },
    COLUMNS,
  )
  const [{ Plan }] = explain({ ...plan, files: [file('a.parquet')] })
  const read = ['temperature', 'depth (m)']
  const filter = ['temperature > Float32(0.7)', '"depth (m)" IS NOT NULL']
  t.same(Plan, {
    'Node Type': 'Limit',
    Engine: 'core',
    Skip: '5',
    Fetch: '10',
    Output: ['temp', 'ship'],
    Plans: [
      {
        'Node Type': 'Projection',
        Engine: 'core',
        Expressions: ['temperature AS temp', 'Utf8("x") AS ship'],
        Output: ['temp', 'ship'],
        Plans: [
          {
            'Node Type': 'Filter',
            Engine: 'core',
            Condition: filter.join(' AND '),
            Output: read,
            Plans: [
              {
                'Node Type': 'TableScan',
                'Relation Name': 'obs',
                Engine: 'core',
                'Full Filters': filter,
                Format: 'parquet',
                'File Count': 1,
                Files: ['a.parquet'],
                Output: read,
                Plans: [],
              },
            ],
          },
        ],
      },
    ],
  })
})

t.test('what a query has not is not printed', async (t) => {
  const [{ Plan }] = explain(planOf({ select: ['temperature'] }, COLUMNS))
  t.equal(Plan['Node Type'], 'Projection')
  t.same(Plan.Plans, [
    { 'Node Type': 'TableScan', 'Relation Name': 'obs', Engine: 'core', Output: ['temperature'], Plans: [] },
  ])
  const [limited] = explain(planOf({ select: ['temperature'], offset: 2, limit: 3 }, COLUMNS))
  t.match(limited, { Plan: { Plans: [{ Plans: [{ Fetch: '5' }] }] } })
})

t.test('constants are printed as what they mean', async (t) => {
  const printed = (type: DataType, members: Record<string, unknown>) => {
    const filter = filterOf(type, members)
    return filter === null ? null : printExpression(filter)
  }
  const cases: readonly (readonly [DataType, Record<string, unknown>, string])[] = [
    [{ kind: 'bool' }, { eq: 'true' }, 'c'],
    [{ kind: 'int', bits: 8, signed: true }, { neq: 5 }, 'c != Int8(5)'],
    [{ kind: 'int', bits: 8, signed: true }, { gt: 300 }, 'c IS NULL AND NULL'],
    [{ kind: 'float', bits: 64 }, { eq: 'NaN' }, 'c = Float64(NaN)'],
    [{ kind: 'decimal', bits: 128, precision: 9, scale: 2 }, { lt: -0.05 }, 'c < Decimal128(9, 2)(-0.05)'],
    [{ kind: 'utf8' }, { min: 'a"', max: 'b' }, 'c BETWEEN Utf8("a\\"") AND Utf8("b")'],
    [{ kind: 'date', unit: 'day' }, { lt_eq: '1969-12-31' }, 'c <= Date32(1969-12-31)'],
    [{ kind: 'time', unit: 'microsecond' }, { gt: '12:00:00.5' }, 'c > Time64(us)(12:00:00.500000)'],
    [
      { kind: 'timestamp', unit: 'nanosecond', zone: 'UTC' },
      { gt_eq: '2020-01-01T00:00:00.000000001' },
      'c >= Timestamp(ns, UTC)(2020-01-01T00:00:00.000000001Z)',
    ],
  ]
  for (const [type, members, expected] of cases) t.equal(printed(type, members), expected)
})

t.test('nested conditions have brackets, long lists an end', async (t) => {
  const c = (members: object) => ({ column: 'temperature', ...members })
  const filter = { or: [{ and: [c({ gt: 1 }), c({ lt: 2 })] }, c({ eq: 3 })] }
  const { scan } = planOf({ select: ['temperature'], filter }, COLUMNS)
  t.equal(
    scan.filter && printExpression(scan.filter),
    '(temperature > Float32(1) AND temperature < Float32(2)) OR temperature = Float32(3)',
  )
  const many = { or: Array.from({ length: 30 }, (_, eq) => c({ eq })) }
  const list = planOf({ select: ['temperature'], filter: many }, COLUMNS).scan.filter
  t.match(list && printExpression(list), /Float32\(19\), … 10 more\)$/)
})

t.test('the plan as it ran has what was measured', async (t) => {
  const figures = {
    ...createFigures(),
    rows: 3,
    unitsRead: 2,
    unitsPruned: 7,
    unitsSkippedByBloomFilter: 1,
    rowsScanned: 9,
    rowsPassed: 5,
    pagesSkipped: 4,
    bytesSkipped: 50,
    bytesRead: 100,
    decodeMs: 1.2345,
    computeMs: 0.2345,
    filterMs: 0.5,
  }
  const plan = planOf(
    { select: ['temperature'], filter: { column: 'temperature', gt: 1 }, limit: 3 },
    COLUMNS,
  )
  const [{ Plan }] = explainAnalyzed({ ...plan, files: [file('a.parquet'), file('b.parquet')] }, figures)
  t.match(Plan, {
    'Node Type': 'ScanExec',
    Details: 'ScanExec: relation=obs, projection=[temperature], filter=temperature > Float32(1), fetch=3',
    'Actual Rows': 3,
    Extras: {
      units_read: 2,
      units_pruned: 7,
      units_skipped_by_bloom_filter: 1,
      pages_skipped: 4,
      bytes_skipped: 50,
      files: 2,
      bytes_read: 100,
      decode_us: 1_235,
      queue_us: 0,
    },
    Plans: [
      {
        'Node Type': 'Limit',
        'Actual Rows': 3,
        'Actual Total Time': 0,
        Plans: [
          {
            'Node Type': 'Projection',
            'Actual Rows': 5,
            'Actual Total Time': 0.235,
            Plans: [
              {
                'Node Type': 'Filter',
                'Actual Rows': 5,
                'Actual Total Time': 0.5,
                Plans: [
                  {
                    'Node Type': 'TableScan',
                    'Actual Rows': 9,
                    'Actual Total Time': 1,
                    Extras: { units_read: 2, bytes_read: 100, decode_us: 1_000, files: 2 },
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  })
  t.type(Plan['Actual Total Time'], 'number')
  t.ok(Object.values(Plan['Extras'] as object).every(Number.isInteger))
})
