import { parseArgs } from 'node:util'
import { FORMS, type Form, type Selection } from './compare/cases.ts'
import type { Rounds } from './compare/compare.ts'
import { FILES } from './figures/files/files.ts'
import { UPLOADS } from './figures/uploads/uploads.ts'
import type { DataSizes } from './input/data.ts'

/** What the command line says. */
export interface Flags extends DataSizes, Selection, Rounds {
  /** A folder for CPU profiles of the services. Null: none are made. */
  readonly profileDir: string | null
  /** The size of the file that is uploaded and downloaded. */
  readonly uploadBytes: number
  /** The files that are crawled. */
  readonly crawlFiles: number
  /** Whether figures take the place of those in the last file of results. */
  readonly isRenewing: boolean
}

const ROWS = 2_500_000

const CSV_BYTES = 1_000_000_000

const UPLOAD_BYTES = 5_000_000_000

const CRAWL_FILES = 200_000

export const USAGE = `npm run bench -- [--rows N] [--csv-bytes N] [--rounds N] [--cold-rounds N]
                  [--upload-bytes N] [--crawl-files N] [--only KEY,…] [--layouts NAME,…] [--forms FORM,…]
                  [--profile FOLDER] [--renew]

  --rows         rows of the table (${ROWS}); files are kept in bench/data
  --csv-bytes    size of the CSV file, about (${CSV_BYTES})
  --upload-bytes size of the file that is uploaded and downloaded (${UPLOAD_BYTES});
                 three times as much has to be free
  --crawl-files  small files that are crawled (${CRAWL_FILES}); they are made in /tmp and removed
  --rounds       timed runs of each query by each engine, interleaved (5)
  --cold-rounds  the same with the files dropped from the page cache before each (1)
  --only         these queries and figures alone (parallel, stream, computed, ready, names, slow,
                 mcp, functions, functions_months, tpch, memory, catalog, rights, sst, year, boxes,
                 polygon, zarr, other_arrays, science, collections, profiles, argo, array_files,
                 odv, tiff, bbf, files, uploads, remotes, crawl, start), or parts of files and
                 uploads:
                 ${[...Object.keys(FILES), ...Object.keys(UPLOADS)].join(`,\n                 `)}
  --layouts      these alone: random, sorted, random-pyarrow, sorted-pyarrow,
                 random-timed, sorted-timed, csv
  --forms        these alone: ${FORMS.join(', ')}
  --profile      a CPU profile of each thread of the services
  --renew        figures take the place of those in the last file of results, with their date

Only a run of everything writes a new file of results.`

/** Parses the arguments. Throws a TypeError that says what is wrong with them. */
export function readFlags(args: string[]): Flags {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: String(ROWS) },
      'csv-bytes': { type: 'string', default: String(CSV_BYTES) },
      'upload-bytes': { type: 'string', default: String(UPLOAD_BYTES) },
      'crawl-files': { type: 'string', default: String(CRAWL_FILES) },
      rounds: { type: 'string', default: '5' },
      'cold-rounds': { type: 'string', default: '1' },
      only: { type: 'string' },
      layouts: { type: 'string' },
      forms: { type: 'string', default: FORMS.join() },
      profile: { type: 'string' },
      renew: { type: 'boolean', default: false },
    },
  })
  return {
    rows: integer('--rows', values.rows, 1),
    csvBytes: integer('--csv-bytes', values['csv-bytes'], 1),
    uploadBytes: integer('--upload-bytes', values['upload-bytes'], 1),
    crawlFiles: integer('--crawl-files', values['crawl-files'], 1000),
    rounds: integer('--rounds', values.rounds, 1),
    coldRounds: integer('--cold-rounds', values['cold-rounds'], 0),
    only: values.only === undefined ? null : new Set(values.only.split(',')),
    layouts: values.layouts === undefined ? null : new Set(values.layouts.split(',')),
    forms: new Set(values.forms.split(',').map(form)),
    profileDir: values.profile ?? null,
    isRenewing: values.renew,
  }
}

export function isDefaultSize({ rows, csvBytes, uploadBytes, crawlFiles }: Flags): boolean {
  const isWritten = uploadBytes === UPLOAD_BYTES && crawlFiles === CRAWL_FILES
  return rows === ROWS && csvBytes === CSV_BYTES && isWritten
}

/** Whether a run measures everything. */
export function isWhole({ only, layouts, forms }: Flags): boolean {
  return only === null && layouts === null && forms.size === FORMS.length
}

/** Parses the value of a flag. Throws a TypeError that names the flag. */
export function integer(name: string, text: string, least: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least)
    throw new TypeError(`${name} wants an integer from ${least}, not ${text}`)
  return value
}

function form(text: string): Form {
  const match = FORMS.find((form) => form === text)
  if (match === undefined) throw new TypeError(`--forms knows ${FORMS.join(', ')}, not ${text}`)
  return match
}
