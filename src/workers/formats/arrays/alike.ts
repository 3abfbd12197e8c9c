import { isServiceError } from '../../../plan/errors.ts'
import { memoize } from '../../../plan/memoize.ts'
import { faultOfGrid } from '../../../plan/source/grid.ts'
import { NO_WHOLE_COLUMNS } from '../../../plan/source/whole.ts'
import type { AlikeFiles, HeldBytes, ReadContext } from '../provider.ts'
import { arrangeColumns } from './arranged.ts'
import type { ArrayFile, ArrayReader, FormedFile } from './array-file.ts'
import { type ArrayOptions, optionsFor } from './array-options.ts'
import type { Reading } from './box/read-array.ts'
import { schemaOf } from './columns.ts'
import { formedColumns } from './formed-columns.ts'
import { formedFiles } from './kept-forms.ts'
import { wholeOfAlike } from './whole-columns.ts'

/** By the options, as JSON. Null: each file has to be opened. */
const alikeByOptions = memoize((_file: ArrayFile) => new Map<string, AlikeFiles | null>())

/**
 * What an inspection tells of a small file, but for the bounds of its columns, if a file of equal metadata or of their form was opened lately. Null:
 * none was, or more follows from values.
 */
export function alikeFiles(
  reader: ArrayReader,
  options: ArrayOptions,
): (held: HeldBytes, context: ReadContext) => AlikeFiles | null {
  const key = JSON.stringify(options)
  const formedOf = formedFiles(reader)
  return (held, context) => {
    const file = reader.openedBefore?.(held.memory, held.at, held.size)
    if (file === undefined) return formedAlike(formedOf(held, context), options, key)
    const byOptions = alikeByOptions(file)
    const earlier = byOptions.get(key)
    if (earlier !== undefined) return earlier
    const alike = inspectAlike(options, { file, store: held.store, context })
    byOptions.set(key, alike)
    return alike
  }
}

function formedAlike(formed: FormedFile | undefined, options: ArrayOptions, key: string): AlikeFiles | null {
  const columns = formed && formedColumns(formed, options, key)
  if (!formed || !columns) return null
  const { numbers } = formed
  const arrays = columns.arraysOf(numbers)
  const places = columns.wholePlaces(numbers)
  return arrays && places && { schema: columns.schema, arrays, places, computed: NO_WHOLE_COLUMNS }
}

function inspectAlike(options: ArrayOptions, reading: Reading): AlikeFiles | null {
  const { file } = reading
  const { columns, gridOf, isCounted, layout } = arrangeColumns(file, optionsFor(file, options))
  const hasOthers = options.dimensionsOrStatistics !== undefined || options.statistics !== undefined
  if (isCounted || hasOthers || (file.omitted ?? []).length > 0) return null
  const arrays = layout()
  if (arrays === null) return null
  try {
    const segments = gridOf(null, null, reading)
    const whole = wholeOfAlike(columns, reading)
    if (whole === null || faultOfGrid(segments) !== null) return null
    return { schema: schemaOf(columns), segments, arrays, ...whole }
  } catch (error) {
    // Opening the file says what is wrong with it.
    if (isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}
