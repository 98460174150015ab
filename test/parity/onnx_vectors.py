"""The library against ONNX's published vectors of LayerNormalization and
SoftmaxCrossEntropyLoss (Debian: libonnx-testdata), read without the onnx package.

    onnx_vectors.py LIBRARY MINIMUM      MINIMUM: a file of lines `operator count`

Prints what is skipped and why, and how many vectors of each operator were
compared; the exit status is 1 if one differs or if fewer than count agree.
"""
import ctypes
import glob
import os
import struct
import sys

import numpy as np

DATA = '/usr/share/libonnx-testdata/data/node'
TOLERANCE = 1e-6    # of the largest entry: float32
F32, I32, U64 = ctypes.c_float, ctypes.c_int32, ctypes.c_size_t
I64, F64, PTR = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p
TYPES = {1: '<f4', 6: '<i4', 7: '<i8', 11: '<f8'}
lib = None


# ---- the wire format of protocol buffers -----------------------------------

def varint(b, at):
    value = shift = 0
    while True:
        value |= (b[at] & 127) << shift
        shift += 7
        at += 1
        if b[at - 1] < 128:
            return value, at


def fields(b):
    """Pairs of field number and value: an integer, or the bytes of the rest."""
    at = 0
    while at < len(b):
        key, at = varint(b, at)
        if key % 8 == 0:
            value, at = varint(b, at)
        else:
            size, at = varint(b, at) if key % 8 == 2 else ({1: 8, 5: 4}[key % 8], at)
            value, at = b[at:at + size], at + size
        yield key // 8, value


def numbers(value):
    """A repeated integer, packed or one of many."""
    out, at = [], 0
    while not isinstance(value, int) and at < len(value):
        n, at = varint(value, at)
        out.append(n)
    return [n - (n >> 63 << 64) for n in ([value] if isinstance(value, int) else out)]


def tensor(path):
    dims, kind, integers, raw = [], 0, [], b''
    with open(path, 'rb') as f:
        for number, value in fields(f.read()):
            if number == 1:
                dims += numbers(value)
            elif number == 2:
                kind = value
            elif number in (4, 9, 10):      # float_data, raw_data, double_data
                raw += value
            elif number in (5, 7):          # int32_data, int64_data
                integers += numbers(value)
    if kind not in TYPES:
        raise ValueError(f'element type {kind}')
    x = np.array(integers, TYPES[kind]) if integers else np.frombuffer(raw, TYPES[kind])
    return x.reshape(dims)


def attributes(path):
    """Of the first node of a model's graph: ModelProto.graph.node.attribute."""
    with open(path, 'rb') as f:
        graph = dict(fields(f.read()))[7]
    node = next(v for n, v in fields(graph) if n == 1)
    out = {}
    for parts in (dict(fields(v)) for n, v in fields(node) if n == 5):
        out[parts[1].decode()] = (struct.unpack('<f', parts[2])[0] if 2 in parts else
                                  numbers(parts[3])[0] if 3 in parts else parts[4].decode())
    return out


# ---- the library -------------------------------------------------------------

def good(status, handle, message):
    if status:
        message = getattr(lib, f'lnstab_{message}_message')
        message.restype = ctypes.c_char_p
        raise RuntimeError(f'status {status}: {message(handle).decode()}')


def made(kind, words, eps=None):
    config, handle = PTR(), PTR()
    good(lib.lnstab_config_create(None, None, None, ctypes.byref(config)), None, 'config')
    good(lib.lnstab_config_set(config, words.encode()), config, 'config')
    if eps is not None:
        good(lib.lnstab_config_set_f64(config, b'eps', F64(eps)), config, 'config')
    create = getattr(lib, f'lnstab_{kind}_create')
    good(create(config, ctypes.byref(handle)), config, 'config')
    lib.lnstab_config_destroy(config)
    return handle


def pointer(x):
    assert x.flags.c_contiguous
    return x.ctypes.data_as(PTR)    # holds x


def norm(x, gamma, bias, eps):
    """y and 1/s of the rows of x."""
    rows, width = x.shape
    y, rstd = np.empty_like(x), np.empty(rows)
    n = made('norm', f'norm=layer dtype=float32 width={width}', eps)
    good(lib.lnstab_norm_set_affine(n, pointer(gamma), pointer(bias)), n, 'norm')
    good(lib.lnstab_norm_forward(n, U64(rows), pointer(x), U64(width), pointer(y), U64(width)),
         n, 'norm')
    good(lib.lnstab_norm_jacobian(n, U64(rows), pointer(x), U64(width), pointer(rstd), None, None, None),
         n, 'norm')
    lib.lnstab_norm_destroy(n)
    return y, rstd


class Loss:
    """A model whose logits are its input: the branches are 0, the head is 1."""

    def __init__(self, x, ignore):
        rows, classes = x.shape
        words = (f'input=embedded placement=none layers=1 heads=1 width={classes} ffn_width=1 '
                 f'vocab={classes} head=separate final_norm=0 max_batch={rows} max_tokens=1 '
                 'dtype=float32')
        words += f' ignore_index={ignore}' if ignore is not None else ''
        self.model, self.rows = made('model', words), rows
        unit = np.eye(classes, dtype=np.float32)
        self.good(lib.lnstab_model_set_tensor(self.model, b'head.w', pointer(unit), I32(1),
                                              U64(unit.size)))
        self.good(lib.lnstab_model_forward_embedded(self.model, I64(rows), I64(1), pointer(x),
                                                    None))
        if not np.array_equal(self.state('logits', x.size), x.reshape(-1)):
            raise RuntimeError('the logits are not the input')

    def good(self, status):
        good(status, self.model, 'model')

    def state(self, name, count):
        at = lib.lnstab_tensor_data(PTR(lib.lnstab_model_tensor(self.model, name.encode())))
        return np.ctypeslib.as_array(ctypes.cast(at, ctypes.POINTER(F32)), (count,)).copy()

    def __call__(self, targets):
        """The mean, the number of counted rows, each row's own loss."""
        mean, counted = F64(), I64()
        self.good(lib.lnstab_model_loss(self.model, pointer(targets.astype(np.int32)),
                                        ctypes.byref(mean), ctypes.byref(counted)))
        return mean.value, counted.value, self.state('token_loss', self.rows)

    def end(self):
        lib.lnstab_model_destroy(self.model)


# ---- the vectors -------------------------------------------------------------

def differ(what, got, want):
    """A sentence if the arrays differ, else ''."""
    got, want = np.ravel(got).astype(float), np.ravel(want).astype(float)
    if got.shape != want.shape:
        return f'{what}: {got.size} numbers, not {want.size}'
    error = np.abs(got - want).max() / np.abs(want).max()
    return '' if error <= TOLERANCE else f'{what}: {error:.1e} of the largest'


def layer_normalization(inputs, outputs, given):
    """The mean, an output as well, is nothing that the library tells."""
    x, gamma, bias = inputs
    split = given.get('axis', -1) % x.ndim
    rows = int(np.prod(x.shape[:split]))
    y, rstd = norm(x.reshape(rows, -1), gamma.reshape(-1), bias.reshape(-1),
                   given.get('epsilon', 1e-5))
    return [differ('Y', y, outputs[0]), differ('InvStdDev', rstd, outputs[2])]


def rows_of(x):
    """[N, C, d1, ...] as [N d1 ..., C]"""
    return np.ascontiguousarray(np.moveaxis(x, 1, -1)).reshape(-1, x.shape[1])


def softmax_cross_entropy(inputs, outputs, given):
    logits, targets = rows_of(inputs[0]), inputs[1].reshape(-1)
    loss = Loss(logits, given.get('ignore_index'))
    mean, counted, each = loss(targets)
    value = {'mean': mean, 'sum': mean * counted, 'none': each}[given.get('reduction', 'mean')]
    faults = [differ('loss', value, outputs[0])]
    loss.end()
    if len(outputs) > 1:    # log softmax, told class by class
        loss = Loss(logits, None)
        rows = np.stack([-loss(np.full_like(targets, k))[2] for k in range(logits.shape[1])], 1)
        faults.append(differ('log_prob', rows, rows_of(outputs[1])))
        loss.end()
    return faults


def run(name, compare):
    """None, or why the vector is skipped; the faults that it shows."""
    folder = os.path.join(DATA, name)
    if name.endswith('_expanded'):
        return 'the same numbers as the vector that is not expanded', []
    try:
        inputs, outputs = ([tensor(p) for p in sorted(glob.glob(
            f'{folder}/test_data_set_0/{kind}_*.pb'))] for kind in ('input', 'output'))
    except ValueError as e:
        return str(e), []
    if compare is softmax_cross_entropy and len(inputs) > 2:
        return 'class weights', []
    return None, compare(inputs, outputs, attributes(f'{folder}/model.onnx'))


def main(library, minimum):
    global lib
    lib = ctypes.CDLL(os.path.abspath(library))
    lib.lnstab_tensor_data.restype = lib.lnstab_model_tensor.restype = PTR
    with open(minimum, encoding='ascii') as f:
        least = {words[0]: int(words[1]) for words in map(str.split, f) if words}
    bad = 0
    for prefix, compare in (('layer_normalization', layer_normalization),
                            ('sce', softmax_cross_entropy)):
        agreed, skipped = 0, {}
        for name in sorted(os.path.basename(p) for p in glob.glob(f'{DATA}/test_{prefix}_*')):
            why, faults = run(name, compare)
            faults = [f for f in faults if f]
            for fault in faults:
                print(f'  {name}: {fault}')
            if why:
                skipped.setdefault(why, []).append(name)
            elif not faults:
                agreed += 1
            bad += len(faults)
        for why, names in skipped.items():
            shown = f'{len(names)} vectors' if why.startswith('the same') else ' '.join(names)
            print(f'onnx {prefix}: skipped, {why}: {shown}')
        print(f'onnx {prefix}: {agreed} vectors agree')
        if agreed < least[prefix]:
            print(f'  {prefix}: only {agreed} vectors agree, there should be {least[prefix]}')
            bad += 1
    return bad != 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
