import { statSync } from 'node:fs'
import { versionOf } from '../../src/plan/source/version.ts'
import { locateErrorsInFile } from '../../src/workers/formats/error-location.ts'
import type { Hdf5Metadata } from '../../src/workers/formats/hdf5/hdf5-metadata.ts'
import { parseMetadata } from '../../src/workers/formats/hdf5/metadata/parse-metadata.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import { onlyObject } from '../../src/workers/store/store.ts'
import { describeByLibrary } from './judge/describe.ts'

function openedStore(location: string) {
  const version = versionOf(statSync(location, { bigint: true }))
  return openFileStore({ path: location, location, version }, createStopwatch())
}

/** The metadata of a file. Errors are located as those of queries. */
export async function metadataOf(
  location: string,
  areGroupsWanted = true,
  check: () => void = () => {},
): Promise<Hdf5Metadata> {
  using store = openedStore(location)
  return locateErrorsInFile(store, 'HDF5', () => parseMetadata(onlyObject(store), areGroupsWanted, check))
}

/** The same, of a sound file, as the HDF5 library tells them. */
export async function metadataByLibrary(location: string, areGroupsWanted: boolean): Promise<Hdf5Metadata> {
  using store = openedStore(location)
  return await describeByLibrary(store, areGroupsWanted)
}

export function fixture(name: string): string {
  return new URL(`../fixtures/hdf5/${name}`, import.meta.url).pathname
}
