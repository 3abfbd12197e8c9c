import { createLibrary } from './library.ts'

/** The HDF5 library of this thread. */
export const HDF5_LIBRARY = createLibrary()
