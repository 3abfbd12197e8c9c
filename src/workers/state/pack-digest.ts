import { hash } from 'node:crypto'
import { fileKey } from '../../plan/source/file.ts'
import { rangeKey } from '../../plan/source/range.ts'
import type { FileUnit } from '../../plan/task/task.ts'

/** The numbers of a version. */
const NUMBERS = 5

/** A digest of the versions of the files of a pack and of its units. It prints no number: a pack has hundreds of files. */
export function packDigest(pack: readonly FileUnit[]): string {
  const versions = new BigInt64Array(NUMBERS * pack.length)
  const numbers: number[] = []
  const texts: string[] = []
  let to = 0
  for (const { file, unit } of pack) {
    const { device, inode, size, mtimeNs, ctimeNs } = file.version
    versions[to] = device
    versions[to + 1] = inode
    versions[to + 2] = size
    versions[to + 3] = mtimeNs
    versions[to + 4] = ctimeNs
    to += NUMBERS
    if (file.folder !== undefined || file.plain !== undefined) texts.push(`${to} ${fileKey(file)}`)
    if (unit.kind === 'box') {
      numbers.push(unit.extent.length)
      for (const each of unit.dimensions) numbers.push(each)
      for (const each of unit.origin) numbers.push(each)
      for (const each of unit.extent) numbers.push(each)
    } else if (unit.kind === 'rows') numbers.push(-1, unit.segment, unit.from, unit.to)
    else texts.push(`${to} ${rangeKey(unit)}`)
  }
  const parts = [versions, Float64Array.from(numbers)].map(({ buffer }) => Buffer.from(buffer))
  return hash('sha1', Buffer.concat([...parts, Buffer.from(texts.join('\n'))]), 'base64url')
}
