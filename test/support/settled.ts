import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isSettled, versionOf } from '../../src/plan/source/version.ts'
import { until } from './until.ts'

/** Waits until nothing at a path or below it was changed so lately that a further change might not show in its version. */
export async function untilSettled(path: string): Promise<void> {
  const all = allBelow(path)
  await until(`${path} is settled`, () =>
    all.every((each) => isSettled(versionOf(lstatSync(each, { bigint: true })))),
  )
}

/** A path and all below it. Links are not followed: they may lead above. */
function allBelow(path: string): readonly string[] {
  if (!lstatSync(path).isDirectory()) return [path]
  return [path, ...readdirSync(path).flatMap((name) => allBelow(join(path, name)))]
}
