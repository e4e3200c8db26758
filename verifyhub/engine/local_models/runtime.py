"""ONNX Runtime as models on this machine use it: one thread, and no telemetry."""

from pathlib import Path
from typing import Any

# Beside other workers on the same machine; more threads gain little on such models.
THREADS = 1


def open_session(model: Path | bytes) -> Any:
    """Load a model from a file or its bytes, to run on the CPU.

    Raises:
        Exception: Whatever ONNX Runtime says of a model that it cannot run.
    """
    import onnxruntime

    # It would report to its makers, past the one way out that this project has.
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model if isinstance(model, bytes) else str(model),
        sess_options=options,
        providers=["CPUExecutionProvider"],
    )
