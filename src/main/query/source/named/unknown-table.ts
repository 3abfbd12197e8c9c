import { isServiceError, ServiceError } from '../../../../plan/errors.ts'
import type { Formats } from '../../../../plan/format/create-formats.ts'
import { didYouMean } from '../../../../plan/nearest-name.ts'
import type { CatalogTable } from '../../../catalog/catalog.ts'
import type { Lookups } from '../../../catalog/lookups.ts'
import { printName } from '../../../catalog/written-name.ts'
import type { Dataset, Listing } from '../../../datasets/list.ts'
import type { WrittenName } from '../../../sql/grammar/node.ts'

/** What the name of a table may mean instead. */
export interface OtherMeanings {
  readonly formats: Formats
  readonly lookups: Lookups
  readonly listing: Listing
}

/** Files that a name may mean: a path or a pattern, and how they are read. */
interface MeantFiles {
  readonly path: string
  /** The function in SQL, and the key of `from` in JSON. */
  readonly read: string
  readonly key: string
}

/** The error for a name that no table has. It says how to write the name if it is that of files, or a table with a similar name. */
export async function unknownTable(name: string, others: OtherMeanings): Promise<ServiceError> {
  const files = await findMeantFiles(name, others)
  const near = didYouMean(name, others.lookups.tables())
  const hint =
    files === null
      ? `${near || '.'} /api/tables lists them, and /api/list-datasets the files, which are named as read_parquet('…') in SQL and as {"parquet": {"paths": ["…"]}} in JSON.`
      : `. To read files write ${files.read}('${files.path.replaceAll("'", "''")}') in SQL, {${JSON.stringify(files.key)}: {"paths": [${JSON.stringify(files.path)}]}} in JSON.`
  return new ServiceError('unknown_table', `There is no table ${JSON.stringify(name)}${hint}`, {
    about: name,
  })
}

/** The error for a view that reads what is not there any more. */
export function goneBelow({ name }: CatalogTable, missing: WrittenName): ServiceError {
  return new ServiceError(
    'unknown_table',
    `The view ${JSON.stringify(name)} reads ${JSON.stringify(printName(missing))}, and there is no such table; create it again, or drop the view.`,
    { about: name },
  )
}

/** The files that a name may mean: a path by its extension, the files in a folder, or a file without its extension. Null: none. */
async function findMeantFiles(name: string, { formats, listing }: OtherMeanings): Promise<MeantFiles | null> {
  const toMeantFiles = (path: string): MeantFiles | null => {
    const row = formats.ofName(path)?.row
    const [read] = row?.functions ?? []
    const [key] = row?.from ?? []
    return row !== undefined && read !== undefined && key !== undefined ? { path, read, key } : null
  }
  const isRead = ({ file }: Dataset): boolean => toMeantFiles(file.path) !== null
  const byName = toMeantFiles(name)
  if (byName !== null) return byName
  try {
    const inFolder = (await listing.find(name)).filter(isRead)
    const [first] = inFolder
    if (first !== undefined) return toMeantFiles(patternOf(name, first, inFolder))
    const [file] = (await listing.find(`${name}.*`)).filter(isRead)
    return file === undefined ? null : toMeantFiles(file.file.path)
  } catch (error) {
    // Almost any text is a name of a table, but not of a path.
    if (isServiceError(error) && error.code === 'invalid_path') return null
    throw error
  }
}

/** The pattern of the files of one kind in a folder, which are some of `datasets`. */
function patternOf(folder: string, { file }: Dataset, datasets: readonly Dataset[]): string {
  const base = folder.replace(/\/+$/, '')
  const depth = base.split('/').length + 1
  const isFlat = datasets.every((each) => each.file.path.split('/').length === depth)
  return `${base}/${isFlat ? '' : '**/'}*${file.path.slice(file.path.lastIndexOf('.'))}`
}
