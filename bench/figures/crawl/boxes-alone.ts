import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { columnsToJson } from '../../../src/main/catalog/store/stored-columns.ts'
import { blockOf } from '../../../src/main/learned/store/file-block.ts'
import { createLearnedFolders, createLearnedTable } from '../../../src/main/learned/store/learned-table.ts'
import { openLearnedDatabase } from '../../../src/main/learned/store/open-learned.ts'
import { createLearnedIndex } from '../../../src/main/query/source/many/learned-index.ts'
import { createLearnedTests } from '../../../src/main/query/source/many/learned-tests.ts'
import { all } from '../../../src/plan/condition/combine.ts'
import { between, type Condition } from '../../../src/plan/condition/condition.ts'
import { columnExpression } from '../../../src/plan/expression.ts'
import { VERSION_NUMBERS } from '../../../src/plan/source/version-numbers.ts'
import { packWhole } from '../../../src/plan/source/whole.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import { field } from '../../../src/plan/types/schema.ts'
import { median, timed } from '../../report/statistics.ts'
import type { Figure } from '../figure.ts'

const BOXES = 1_000_000
const PER_FOLDER = 500
const RUNS = 5

const DOUBLE = { kind: 'float', bits: 64 } as const
const SCHEMA = { fields: [field('latitude', DOUBLE), field('longitude', DOUBLE)], metadata: {} }

/** What is learned of a million files, tested by boxes, without the files. */
export async function boxesAlone(scratch: string): Promise<Figure[]> {
  mkdirSync(scratch, { recursive: true })
  const database = openLearnedDatabase(join(scratch, 'boxes.db'), 'bench')
  try {
    const table = createLearnedTable(database)
    const names = Array.from({ length: PER_FOLDER }, (_, nth) => `profile-${String(nth).padStart(4, '0')}.nc`)
    const version = { device: 1n, inode: 1n, size: 1n, mtimeNs: 1n, ctimeNs: 1n }
    const versions = new BigInt64Array(VERSION_NUMBERS * PER_FOLDER).fill(1n)
    // As in the thread, what is known of whole blocks is kept from one query to the next.
    const openIndex = createLearnedIndex()
    for (let folder = 0; folder < BOXES / PER_FOLDER; folder++) {
      const rows = names.map((name, nth) => ({
        name,
        version,
        schema: 0,
        layout: 1,
        sizes: [],
        whole: packWhole([
          at(0, ((folder * 37) % 180) - 90 + nth / 500),
          at(1, ((folder * 83) % 360) - 180 + nth / 500),
        ]),
      }))
      table.put({
        texts: [columnsToJson(SCHEMA), '{}'],
        folders: [{ place: `netcdf /${folder}`, files: blockOf(rows).bytes }],
      })
    }
    const test = (filter: Condition): number => {
      const tests = createLearnedTests(openIndex(createLearnedFolders(database)), SCHEMA, filter)
      let passed = 0
      for (let folder = 0; folder < BOXES / PER_FOLDER; folder++) {
        const inFolder = tests.inFolder(`netcdf /${folder}`, undefined)
        for (const part of inFolder.partsOf(names))
          passed += inFolder.test(part, versions).remaining?.length ?? part.to - part.from
      }
      return passed
    }
    const figures: Figure[] = []
    for (const [key, degrees] of [
      ['narrow', 0.5],
      ['wide', 30],
    ] as const) {
      let passed = 0
      const times: number[] = []
      for (let run = 0; run < RUNS; run++)
        times.push(await timed(async () => (passed = test(box(10, 10 + degrees, 20, 20 + 2 * degrees)))))
      figures.push({
        key: `crawl_boxes_${key}`,
        what: `what is learned of ${BOXES} files, tested without them: a box that ${passed} may meet`,
        value: median(times),
        unit: 'ms',
      })
    }
    return figures
  } finally {
    database.close()
  }
}

function at(fieldIndex: number, value: number) {
  const bound = { kind: 'float', value } as const
  const statistics = { min: bound, max: bound, isMinExact: true, isMaxExact: true, nulls: 0 } as const
  return { field: fieldIndex, values: 1, statistics }
}

function box(south: number, north: number, west: number, east: number): Condition {
  const float = (value: number): Scalar => ({ kind: 'float', value })
  const lies = (column: string, low: number, high: number): Condition =>
    between(columnExpression(column, DOUBLE), float(low), float(high))
  return all([lies('latitude', south, north), lies('longitude', west, east)])
}
