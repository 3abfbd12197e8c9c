import { statSync } from 'node:fs'
import { versionOf } from '../../src/plan/source/version.ts'
import { decodeMetadata, type Hdf5Metadata } from '../../src/workers/formats/hdf5/hdf5-metadata.ts'
import { describeHdf5 } from '../../src/workers/formats/hdf5/metadata/describe.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'

/** The metadata of a file, which is parsed in this thread. */
export async function metadataOf(location: string, areGroupsWanted = true): Promise<Hdf5Metadata> {
  const version = versionOf(statSync(location, { bigint: true }))
  using store = openFileStore({ path: location, location, version }, createStopwatch())
  return decodeMetadata(await describeHdf5(store, areGroupsWanted, () => {}))
}

export function fixture(name: string): string {
  return new URL(`../fixtures/hdf5/${name}`, import.meta.url).pathname
}
