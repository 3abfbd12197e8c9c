import type { ArrayFile } from './array-file.ts'
import { boundsAttributes, meaningOf } from './cf/bounds.ts'
import { isTextDimension } from './cf/text.ts'
import { textDimensions } from './cf/text-dimensions.ts'
import { type ArrayColumn, arrayColumn } from './columns.ts'

/** The arrays of a file as columns, in its order. What an array means may be said by the others. `isNanNull`: each NaN is null. */
export function arrayColumns(file: ArrayFile, isNanNull: boolean): readonly ArrayColumn[] {
  const { arrays } = file
  const ofBounds = boundsAttributes(arrays)
  const texts = textDimensions(arrays)
  return arrays.map((array) => {
    const last = array.dimensions.at(-1)
    return arrayColumn(array, {
      isNanNull,
      attributes: ofBounds.get(array.name) ?? meaningOf(array),
      isWholeText: isTextDimension(last) || (last !== undefined && texts.has(last.name)),
    })
  })
}
