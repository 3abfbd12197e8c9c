import { copyFileSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Table, tableFromIPC } from 'apache-arrow'
import type { Test } from 'tap'
import { isServiceError, ServiceError } from '../../src/plan/errors.ts'
import { list, rowsOf } from '../../src/plan/source/segments.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import type { OpenFile, Provider, ReadContext } from '../../src/workers/formats/provider.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { generator } from '../support/generate.ts'
import { readContext } from './context.ts'
import { cutsConform } from './cuts-conform.ts'
import { folderConforms, type Rows } from './folder-conforms.ts'
import { gridConforms } from './grid-conforms.ts'
import { memoryObjects, type Objects, readObjects, withChanged } from './objects.ts'
import { plansConform } from './plans-conform.ts'
import { layoutOf, rangesOf, segmentsIn } from './segments.ts'
import { fileRef, memorySource } from './source.ts'
import { scalarsIn, statisticsConform } from './statistics-conform.ts'
import { columnValues, readAll, readSegments, readValues, type Value } from './values.ts'

/** A dataset and the rows that a trusted reader gives for it. */
export interface Sample {
  readonly name: string
  /** A file, or a folder of objects. */
  readonly location: string
  /** Rows in a gzipped Arrow IPC stream, in the types of this service. */
  readonly expected: string
  /** The key of a group in a store that has several ones. Absent: the dataset has no groups, or one. */
  readonly group?: string
}

export interface Case {
  readonly provider: Provider
  readonly samples: readonly Sample[]
  /** How many damaged copies of each sample are tried. */
  readonly damages: number
  /**
   * A text format: a copy that is cut short is not always an error but may have the rows before the cut, any other text is
   * recognised as this format, and the rows of a segment are not counted before it is read.
   */
  readonly isText?: boolean
  /** Whether the rows of a segment are counted before it is read. Absent: unless the format is text. */
  readonly areRowsCounted?: boolean
  /** Whether any text is recognised as this format. Absent: `isText`. */
  readonly isAnyText?: boolean
}

const CORE_BYTES = 256 << 20

/** Tests what every provider promises. Each format has one test file that calls it. */
export async function conformance(
  t: Test,
  { provider, samples, damages, isText = false, areRowsCounted = !isText, isAnyText = isText }: Case,
): Promise<void> {
  const core = createCore({ maximumBytes: CORE_BYTES })
  const context: ReadContext = readContext(core)
  const openFile = (store: Store): OpenFile => {
    const file = provider.open(store, context)
    file.infer?.(store, context)
    return file
  }

  for (const sample of samples) {
    const objects = readObjects(sample.location)
    const expected = readExpected(sample)
    const columns = columnValues(expected)
    const names = expected.schema.fields.map((field) => field.name)
    const random = generator(sample.name)
    const stored = () => memoryObjects(objects, sample.name, sample.group)
    const open = (): { file: OpenFile; source: Store } => {
      const opened = stored()
      const file = openFile(opened)
      // A file is opened once and read many times, each with a source of its own.
      opened.close()
      return { file, source: stored() }
    }
    const readRange = (
      { file, source }: ReturnType<typeof open>,
      segment: number,
      from: number,
      to: number,
      wanted: readonly string[],
    ): Value[][] => readValues(file, source, segment, from, to, wanted, context)

    await t.test(sample.name, async (t) => {
      t.equal(provider.sniff(memoryObjects(objects)), true, 'is recognised')

      const { file, source } = open()
      t.same(
        file.schema.fields.map(({ name, nullable }) => ({ name, nullable })),
        expected.schema.fields.map(({ name, nullable }) => ({ name, nullable })),
        'has the columns of its schema',
      )
      t.strictSame(readAll(file, source, context), columns, 'has the rows that the other reader gives')

      const begins = segmentsIn(file).map((_, i) =>
        segmentsIn(file)
          .slice(0, i)
          .reduce((sum, { rows }) => sum + (rows ?? 0), 0),
      )
      t.equal(
        readSegments(file, source, [], context).reduce((sum, { rows }) => sum + rows, 0),
        expected.numRows,
        'counts its rows',
      )
      t.ok(
        segmentsIn(file).every(({ rows }) => (rows === null) !== areRowsCounted),
        'knows them before',
      )
      for (const segment of segmentsIn(file)) {
        t.same([segment.decodedBytes.length, segment.storedBytes.length], [names.length, names.length])
        t.ok(
          [...segment.decodedBytes, ...segment.storedBytes].every(
            (each) => Number.isSafeInteger(each) && each >= 0,
          ),
          'estimates sizes',
        )
      }

      const opened = open()
      for (let round = 0; !areRowsCounted && round < 8; round++) {
        const wanted = file.schema.fields.filter(() => random(2) === 0).toSorted(() => random(3) - 1)
        t.strictSame(
          readAll(file, source, context, wanted),
          wanted.map(({ name }) => columns[names.indexOf(name)]),
          'columns in any order are those of the whole',
        )
      }
      for (const [segment, { rows }] of segmentsIn(file).entries()) {
        if (rows === null) continue
        const first = begins[segment] ?? 0
        for (let round = 0; round < 8; round++) {
          const wanted = names.filter(() => random(2) === 0).toSorted(() => random(3) - 1)
          const from = random(rows + 1)
          const to = from + random(Math.min(rows - from, round % 2 ? 5 : rows) + 1)
          t.strictSame(
            readRange(opened, segment, from, to, wanted),
            wanted.map((name) => (columns[names.indexOf(name)] ?? []).slice(first + from, first + to)),
            `rows ${from}..${to} of segment ${segment}, in any order of columns, are those of the whole`,
          )
        }
      }

      const layout = layoutOf(file, names, source, context)
      if (layout.kind === 'grid')
        gridConforms(t, { file, source, grid: layout, columns, names, random, context })
      await plansConform(t, { file, store: source, random, context })

      for (const field of file.schema.fields)
        for (const [segment, statistics] of file.statistics(field.name).entries()) {
          const range = rangesOf(list(segmentsIn(file)))[segment]
          if (range === undefined) continue
          const values = statistics && scalarsIn(file, source, range, field, context)
          if (values) statisticsConform(t, field.name, statistics, values)
        }
      t.equal(core.usedBytes(), 0, 'leaves nothing in the core')

      t.test('a cancelled read stops and frees what it has', async (t) => {
        const { file, source } = open()
        for (let checks = 0; ; checks++) {
          let left = checks
          const checkCancelled = (): void => {
            if (left-- === 0) throw new ServiceError('cancelled', 'cancelled')
          }
          try {
            readAll(file, source, { ...context, checkCancelled })
            break
          } catch (error) {
            if (!isServiceError(error) || error.code !== 'cancelled') throw error
          }
          if (checks > 50) checks += random(checks)
          t.equal(core.usedBytes(), 0)
        }
      })

      t.test('a damaged copy is a clear error or other values, never a crash', async (t) => {
        for (let round = 0; round < damages; round++) {
          const damaged = withChanged(objects, random, (bytes) => damage(bytes, random, round))
          const path = `damaged-${round}`
          try {
            const source = memoryObjects(damaged, path, sample.group)
            const file = openFile(source)
            for (const { name } of file.schema.fields) file.statistics(name)
            if ((rowsOf(layoutOf(file, [], source, context)) ?? 0) > 10 * expected.numRows + 1000) continue
            readAll(file, source, context)
          } catch (error) {
            if (!isServiceError(error)) throw error
            if (!/^(unreadable_file|memory_limit)$/.test(error.code) || !error.message.includes(path))
              t.fail(`${path}: ${error.code}, ${error.message}`)
          }
          if (core.isDead() || core.usedBytes() > 0) t.fail(`${path} harms the core`)
        }
        t.strictSame(readAll(file, source, context), columns, 'the good file is read as before')
      })

      if (objects.has(''))
        await cutsConform(t, {
          isText,
          file,
          columns,
          async read(cut) {
            const store = memoryObjects(
              withChanged(objects, () => 0, cut),
              'cut-short',
            )
            const opened = openFile(store)
            return { schema: opened.schema, readAll: (fields) => readAll(opened, store, context, fields) }
          },
        })
      else
        t.test('damages of its objects are errors, or change one column', (t) => {
          const read = (damaged: Objects, path: string): Rows | null => {
            const store = memoryObjects(damaged, path, sample.group)
            const opened = openFile(store)
            if ((rowsOf(layoutOf(opened, [], store, context)) ?? 0) > 10 * expected.numRows + 1000)
              return null
            return {
              names: opened.schema.fields.map((field) => field.name),
              columns: readAll(opened, store, context),
            }
          }
          folderConforms(t, { name: sample.name, objects, names, columns, random, read })
          t.equal(core.usedBytes(), 0)
          t.end()
        })
    })
  }

  await t.test('other bytes are not recognised', async (t) => {
    t.equal(provider.sniff(memorySource(Buffer.alloc(4096))), false)
    for (const text of ['', 'a', 'a,b,c\n1,2,3\n'.repeat(20)])
      t.equal(provider.sniff(memorySource(Buffer.from(text))), isAnyText)
  })

  await t.test('a file that is replaced between plan and read is an error', async (t) => {
    const [sample] = samples.filter(
      ({ expected }) => tableFromIPC(gunzipSync(readFileSync(expected))).numRows > 0,
    )
    if (!sample || statSync(sample.location).isDirectory()) return
    const location = `${t.testdir()}/file`
    copyFileSync(sample.location, location)
    const planned = fileRef(location)
    {
      using source = openFileStore(planned, context.stopwatch)
      const file = openFile(source)
      readAll(file, source, context)
      source.verify()
      // Rewritten in place while it is open.
      writeFileSync(location, Buffer.alloc(Number(planned.version.size)))
      t.throws(
        () => {
          readAll(file, source, context)
          source.verify()
        },
        { code: 'file_changed', message: /file/ },
      )
    }
    copyFileSync(sample.location, location)
    utimesSync(location, 1, 1)
    using source = openFileStore(planned, context.stopwatch)
    t.throws(() => readAll(openFile(source), source, context), { code: 'file_changed', message: /file/ })
    t.equal(core.usedBytes(), 0)
  })
}

/** The store, whose file comes with metadata from the annex. */
function readExpected(sample: Sample): Table {
  return tableFromIPC(gunzipSync(readFileSync(sample.expected)))
}

/** A copy that is cut short, or has a few bits flipped: in every other round near the end, where most formats have metadata. */
function damage(bytes: Uint8Array, random: (below: number) => number, round: number): Uint8Array {
  if (round % 8 === 7) return bytes.subarray(0, random(bytes.length))
  const copy = Uint8Array.from(bytes)
  for (let flips = 1 + random(3); flips > 0; flips--) {
    const at = round % 2 ? random(copy.length) : copy.length - 1 - random(Math.min(copy.length, 2000))
    copy[at] = (copy[at] ?? 0) ^ (1 << random(8))
  }
  return copy
}
