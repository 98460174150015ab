"""The library through ctypes: liblnstab.so of the directory BUILD (build)."""
import ctypes as c
import os

import numpy as np

TYPES = {1: np.float32, 2: np.float64}
P, TEXT, I32, I64 = c.c_void_p, c.c_char_p, c.c_int32, c.c_int64
NUMBER, SIZE, STRIDE = c.POINTER(c.c_double), c.c_size_t, c.c_ssize_t
SIGNATURES = {
    'version': (I32,), 'build_info': (TEXT,), 'status_text': (TEXT, I32),
    'table_count': (I32, TEXT), 'table_text': (TEXT, TEXT, I32, TEXT),
    'config_create': (I32, P, P, P, P), 'config_destroy': (None, P),
    'config_message': (TEXT, P), 'config_set': (I32, P, TEXT),
    'model_create': (I32, P, P), 'model_destroy': (None, P),
    'model_message': (TEXT, P), 'model_init': (I32, P, c.c_uint64),
    'model_forward': (I32, P, I64, I64, P, P),
    'model_forward_embedded': (I32, P, I64, I64, P, P),
    'model_loss': (I32, P, P, NUMBER, c.POINTER(I64)),
    'model_backward': (I32, P, P), 'model_zero_grads': (I32, P),
    'model_health': (I32, P, TEXT, NUMBER, NUMBER, P, P, P),
    'model_tensor_count': (I32, P), 'model_tensor_at': (P, P, I32),
    'model_jvp': (I32, P, TEXT, TEXT, P, P),
    'claim_predict': (I32, P, TEXT, TEXT, NUMBER),
    'claim_measure': (I32, P, TEXT, TEXT, NUMBER, NUMBER),
    'model_set_tensor': (I32, P, TEXT, P, I32, SIZE),
    'tensor_name': (TEXT, P), 'tensor_role': (TEXT, P),
    'tensor_data': (P, P), 'tensor_grad': (P, P), 'tensor_dtype': (I32, P),
    'tensor_rank': (I32, P), 'tensor_size': (I64, P, I32),
    'norm_create': (I32, P, P), 'norm_destroy': (None, P),
    'norm_message': (TEXT, P), 'norm_set_affine': (I32, P, P, P),
    'norm_forward': (I32, P, SIZE, P, STRIDE, P, STRIDE),
    'norm_backward': (I32, P, SIZE, P, STRIDE, P, STRIDE, P, STRIDE, P, P)}


def load():
    path = os.path.join(os.environ.get('BUILD', 'build'), 'liblnstab.so')
    shared = c.CDLL(os.path.abspath(path))
    for name, (result, *arguments) in SIGNATURES.items():
        function = getattr(shared, 'lnstab_' + name)
        function.restype, function.argtypes = result, arguments
    return shared


LIB = load()


class Error(Exception):
    """A status other than 0, with the message of the handle."""


def call(name, handle, *arguments):
    """Calls a function whose message is that of the handle's own kind."""
    status = getattr(LIB, 'lnstab_' + name)(handle, *arguments)
    if status:
        kind = name.split('_', maxsplit=1)[0]
        said = getattr(LIB, f'lnstab_{kind}_message')(handle).decode()
        raise Error(f'{name}: {said}')


def address(array):
    return None if array is None else array.ctypes.data


def table(name, *columns):
    """The rows of a table as tuples of text."""
    return [tuple(LIB.lnstab_table_text(name.encode(), row, column.encode())
                  .decode() for column in columns)
            for row in range(LIB.lnstab_table_count(name.encode()))]


def create(kind, text):
    """A handle made from a configuration that does not outlive the call."""
    config, handle = P(), P()
    if LIB.lnstab_config_create(None, None, None, c.byref(config)):
        raise Error('config_create')
    try:
        call('config_set', config, text.encode())
        if getattr(LIB, f'lnstab_{kind}_create')(config, c.byref(handle)):
            raise Error(LIB.lnstab_config_message(config).decode())
    finally:
        LIB.lnstab_config_destroy(config)
    return handle


def predict(text, claim, arguments):
    """(status, value) of a claim for a configuration."""
    config, value = P(), c.c_double()
    LIB.lnstab_config_create(None, None, None, c.byref(config))
    try:
        call('config_set', config, text.encode())
        status = LIB.lnstab_claim_predict(config, claim.encode(),
                                          arguments.encode(), c.byref(value))
    finally:
        LIB.lnstab_config_destroy(config)
    return status, value.value


class Tensor:
    """A view: data and grad are the library's memory, or None."""

    def __init__(self, handle):
        self.name = LIB.lnstab_tensor_name(handle).decode()
        self.role = LIB.lnstab_tensor_role(handle).decode()
        self.dtype = TYPES[LIB.lnstab_tensor_dtype(handle)]
        self.shape = tuple(LIB.lnstab_tensor_size(handle, axis)
                           for axis in range(LIB.lnstab_tensor_rank(handle)))
        self.data = self.view(LIB.lnstab_tensor_data(handle))
        self.grad = self.view(LIB.lnstab_tensor_grad(handle))

    def view(self, start):
        if not start:
            return None
        kind = np.ctypeslib.as_ctypes_type(self.dtype)
        count = int(np.prod(self.shape))
        if count == 0:
            return np.empty(self.shape, self.dtype)
        memory = c.cast(start, c.POINTER(kind))
        return np.ctypeslib.as_array(memory, (count,)).reshape(self.shape)


class Model:
    def __init__(self, text):
        self.handle = create('model', text)
        self.dtype = next(iter(self.tensors().values())).dtype

    def __enter__(self):
        return self

    def __exit__(self, *_):
        LIB.lnstab_model_destroy(self.handle)

    def init(self, seed):
        call('model_init', self.handle, seed)

    def tensors(self, role=None):
        """By name; shapes of states are those of the last forward."""
        all_of = [Tensor(LIB.lnstab_model_tensor_at(self.handle, i))
                  for i in range(LIB.lnstab_model_tensor_count(self.handle))]
        return {t.name: t for t in all_of if role in (None, t.role)}

    def set(self, name, values):
        values = np.ascontiguousarray(values, np.float64)
        call('model_set_tensor', self.handle, name.encode(), address(values),
             2, values.size)

    def forward(self, x, keep=None):
        """x: ids [B, T], or rows [B, T, width]."""
        embedded = np.ndim(x) == 3
        x = np.ascontiguousarray(x, self.dtype if embedded else np.int32)
        if keep is not None:
            keep = np.ascontiguousarray(keep, np.uint8)
        name = 'model_forward_embedded' if embedded else 'model_forward'
        call(name, self.handle, *x.shape[:2], address(x), address(keep))

    def loss(self, targets):
        """(mean, number of counted tokens)"""
        targets = np.ascontiguousarray(targets, np.int32)
        mean, counted = c.c_double(), I64()
        call('model_loss', self.handle, address(targets), c.byref(mean),
             c.byref(counted))
        return mean.value, counted.value

    def backward(self, dout=None):
        if dout is not None:
            dout = np.ascontiguousarray(dout, self.dtype)
        call('model_backward', self.handle, address(dout))

    def zero_grads(self):
        call('model_zero_grads', self.handle)

    def norm_of(self, what):
        """The Euclidean norm of parameters, gradients or states."""
        norm = c.c_double()
        call('model_health', self.handle, what.encode(), c.byref(norm), None,
             None, None, None)
        return norm.value


    def jvp(self, start, end, v):
        """J v of the stream's states, at the point of the last forward."""
        v = np.ascontiguousarray(v, self.dtype)
        out = np.empty_like(v)
        call('model_jvp', self.handle, start.encode(), end.encode(),
             address(v), address(out))
        return out

    def measure(self, claim, arguments):
        """(status, stated, measured, message)"""
        stated, measured = c.c_double(), c.c_double()
        status = LIB.lnstab_claim_measure(
            self.handle, claim.encode(), arguments.encode(),
            c.byref(stated), c.byref(measured))
        said = LIB.lnstab_model_message(self.handle).decode()
        return status, stated.value, measured.value, said


class Norm:
    """A normalisation of rows [n, width], which may be strided."""

    def __init__(self, text, gamma=None, bias=None):
        self.handle = create('norm', text)
        call('norm_set_affine', self.handle, address(gamma), address(bias))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        LIB.lnstab_norm_destroy(self.handle)

    @staticmethod
    def rows(x):
        return address(x), x.strides[0] // x.itemsize

    def forward(self, x, y):
        call('norm_forward', self.handle, len(x), *self.rows(x),
             *self.rows(y))

    def backward(self, x, dy, dx, dgamma, dbias):
        call('norm_backward', self.handle, len(x), *self.rows(x),
             *self.rows(dy), *self.rows(dx), address(dgamma), address(dbias))
