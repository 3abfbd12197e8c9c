"""Writes HDF5 files whose structure is unusual: groups in circles and in each other, enormous shapes, names with control characters.

    python scripts/make-hostile-structures.py test/fixtures/hdf5-structures

Needs h5py.
"""
import sys

import h5py

root = sys.argv[1]


def make(name):
    return h5py.File(f'{root}/{name}.h5', 'w', libver=('v110', 'v110'))


with make('circles') as f:
    a = f.create_group('a')
    b = a.create_group('b')
    b['back'] = f['/']
    b['self'] = b
    a['soft'] = h5py.SoftLink('/a/b/back/a')
    b['v'] = [1.0, 2.0]
for name, depth in (('deep', 60), ('too-deep', 200)):
    with make(name) as f:
        g = f
        for _ in range(depth):
            g = g.create_group('g')
with make('enormous') as f:
    f.create_dataset('v', shape=(2**60, 2**40), dtype='f8', chunks=(1, 1))
    f.create_dataset('w', shape=(2**62,), dtype='i1', chunks=(1,))
with make('odd') as f:
    f['line\nend\x01'] = [1.0]
    f.attrs['numbers'] = list(range(2000))
    f.attrs['\x02'] = 'control'
