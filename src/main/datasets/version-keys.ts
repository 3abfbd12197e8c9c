import { type FileVersion, versionKey } from '../../plan/unit.ts'

const keys = new WeakMap<FileVersion, string>()

/** As `versionKey`, made once for a version: queries share what the search for their files has found. */
export function keptVersionKey(version: FileVersion): string {
  const known = keys.get(version)
  if (known !== undefined) return known
  const key = versionKey(version)
  keys.set(version, key)
  return key
}
