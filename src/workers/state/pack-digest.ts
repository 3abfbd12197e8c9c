import { hash } from 'node:crypto'
import { fileKey } from '../../plan/source/file.ts'
import { rangeKey } from '../../plan/source/range.ts'
import { versionNumbers } from '../../plan/source/version-numbers.ts'
import type { FileUnit } from '../../plan/task/task.ts'

/** A digest of the versions of the files of a pack and of its units. It prints no number: a pack has hundreds of files. */
export function packDigest(pack: readonly FileUnit[]): string {
  const versions = versionNumbers(pack.map(({ file }) => file))
  const numbers: number[] = []
  const texts: string[] = []
  for (let index = 0; index < pack.length; index++) {
    const each = pack[index]
    if (each === undefined) continue
    const { file, unit } = each
    if (file.folder !== undefined || file.plain !== undefined) texts.push(`${index} ${fileKey(file)}`)
    if (unit.kind === 'box') {
      numbers.push(unit.extent.length)
      for (const number of unit.dimensions) numbers.push(number)
      for (const number of unit.origin) numbers.push(number)
      for (const number of unit.extent) numbers.push(number)
    } else if (unit.kind === 'rows') numbers.push(-1, unit.segment, unit.from, unit.to)
    else texts.push(`${index} ${rangeKey(unit)}`)
  }
  const parts = [versions, Float64Array.from(numbers)].map(({ buffer }) => Buffer.from(buffer))
  return hash('sha1', Buffer.concat([...parts, Buffer.from(texts.join('\n'))]), 'base64url')
}
