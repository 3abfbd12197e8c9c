import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { readOptions } from '../../src/plan/format/read-options.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { typeName } from '../../src/plan/types/schema.ts'
import { columnValues, readAll } from '../formats/values.ts'
import { context, openCsv } from './read.ts'

/** Written by scripts/make-csv-dialects.py: files, the options that a request gives, and what pandas reads. */
const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'csv-dialects')

/** Arrow's names for the types of the files. */
const TYPES: Readonly<Record<string, string>> = {
  'Timestamp<SECOND>': 'Timestamp(s)',
  'Date32<DAY>': 'Date32',
}

function optionsOf(path: string) {
  const given: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(path, 'utf8'))
  return readOptions(FORMATS.row('csv'), new Map(Object.entries(given)), (what) => {
    throw new Error(what)
  })
}

for (const name of readdirSync(FOLDER)
  .filter((each) => each.endsWith('.txt'))
  .map((each) => basename(each, '.txt')))
  t.test(name, async (t) => {
    const path = join(FOLDER, name)
    const expected = tableFromIPC(gunzipSync(readFileSync(`${path}.expected.arrow.gz`)))
    const options = optionsOf(`${path}.json`) ?? {}
    for (const limits of [{}, { firstBlock: 40, block: 50, tail: 20 }]) {
      const { file, source } = openCsv(readFileSync(`${path}.txt`), { options, limits })
      t.same(
        file.schema.fields.map((field) => [field.name, typeName(field.type)]),
        expected.schema.fields.map(({ name, type }) => [name, TYPES[String(type)] ?? String(type)]),
      )
      t.same(readAll(file, source, context), columnValues(expected))
      // ERDDAP writes NaN where there is no number.
      t.match(file.notices ?? [], name === 'erddap' ? [/^NaN is a value in "WTMP", "WSPD"/] : [])
      t.equal(file.notices?.length ?? 0, name === 'erddap' ? 1 : 0)
    }
  })
