import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isSettled, versionOf } from '../../src/plan/source/version.ts'
import { until } from './until.ts'

/** Waits until nothing at a path or below it was changed so lately that a further change might not show in its version. */
export async function untilSettled(path: string): Promise<void> {
  const isFolder = lstatSync(path).isDirectory()
  const below = isFolder ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  const all = [path, ...below.map((each) => join(path, each))]
  await until(`${path} is settled`, () =>
    all.every((each) => isSettled(versionOf(lstatSync(each, { bigint: true })))),
  )
}
