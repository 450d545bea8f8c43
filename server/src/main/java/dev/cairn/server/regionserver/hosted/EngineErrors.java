package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.mob.MissingValueException;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.region.write.ConstraintViolationException;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.MutationCheck.FutureTimestampException;
import dev.cairn.engine.region.write.WriteUndecidedException;
import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.store.LoadableFile.UnloadableFileException;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.server.filter.EvaluationEndedException;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.RegionServerAbortedException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Turns the engine's errors into those that HBase's clients know by class name, and from whose
 * class they take whether to try again, to look the region up again, or to give up.
 */
public final class EngineErrors {
  private EngineErrors() {}

  /** Returns the exception for the client of a call that ended with {@code error}. */
  public static IOException forClient(RpcCall call, Throwable error) {
    return error instanceof IOException && call.isAbandoned() && isEnded(error)
        ? new DoNotRetryIOException("The call was ended by an operator of the server")
        : forClient(error);
  }

  private static boolean isEnded(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof EvaluationEndedException) {
        return true;
      }
    }
    return false;
  }

  /** Returns the exception for a client whose call ended with {@code error}. */
  public static IOException forClient(Throwable error) {
    if (error instanceof NoSuchFamilyException) {
      return as(new NoSuchColumnFamilyException(error.getMessage()), error);
    }
    if (error instanceof WrongRowException) {
      return as(new WrongRegionException(error.getMessage()), error);
    }
    if (error instanceof RegionClosedException) {
      return as(new NotServingRegionException(error.getMessage()), error);
    }
    if (error instanceof RegionBusyException) {
      return as(new RegionTooBusyException(error.getMessage()), error);
    }
    if (error instanceof FutureTimestampException
        || error instanceof ConstraintViolationException) {
      // HBase's ConstraintException is in hbase-server alone: a client without that jar would see
      // an
      // unknown class, and repeat the mutations of a batch.
      return new FailedSanityCheckException(error.getMessage(), error);
    }
    if (error instanceof InvalidMutationException) {
      return new DoNotRetryIOException(error.getMessage(), error);
    }
    if (error instanceof WalFailedException) {
      return as(new RegionServerAbortedException(error.getMessage()), error);
    }
    if (error instanceof MemoryShortageException shortage) {
      return as(
          shortage.isPermanent()
              ? new RowTooBigException(shortage.getMessage())
              : new RegionTooBusyException(shortage.getMessage()),
          shortage);
    }
    if (error instanceof WriteUndecidedException || DiskFullException.isCauseOf(error)) {
      // Clients pause and try again, with the same nonces.
      return as(new RegionTooBusyException(error.getMessage()), error);
    }
    if (error instanceof CorruptFileException
        || error instanceof UnsupportedFileException
        || error instanceof UnloadableFileException
        || error instanceof MissingValueException) {
      return new DoNotRetryIOException(error.getMessage(), error);
    }
    if (error instanceof EvaluationEndedException ended) {
      return ended.forClient("The condition");
    }
    if (error instanceof IOException known) {
      return isOurs(known) ? new IOException(known.getMessage(), known) : known;
    }
    // The rest is a bug, or input that a constructor refused; trying again changes neither.
    return new DoNotRetryIOException(
        error instanceof IllegalArgumentException ? error.getMessage() : error.toString(), error);
  }

  /**
   * Returns the client's exception for a plain write's {@code error}: for a row outside of the
   * region, HBase uses another class than for one that is read or locked.
   */
  public static IOException ofWrite(Throwable error) {
    return error instanceof WrongRowException
        ? new FailedSanityCheckException(error.getMessage(), error)
        : forClient(error);
  }

  /**
   * Returns the client's exception for a change that was made, if there is no memory for its
   * result. One with a nonce comes again and gets the result; another one must not be made twice.
   *
   * @param numbered whether the change has a nonce
   */
  public static IOException ofResult(MemoryShortageException shortage, boolean numbered) {
    return numbered && !shortage.isPermanent()
        ? forClient(shortage)
        : new DoNotRetryIOException(
            "The change was made, but its result cannot be returned: " + shortage.getMessage());
  }

  /** Returns the form in which one action's error travels inside a response. */
  public static NameBytesPair inMessage(Throwable error) {
    IOException told = forClient(error);
    StringWriter text = new StringWriter();
    told.printStackTrace(new PrintWriter(text, true));
    return NameBytesPair.newBuilder()
        .setName(NamedException.nameOf(told))
        .setValue(ByteString.copyFromUtf8(text.toString()))
        .build();
  }

  /** Tells whether no client has the class of {@code error}, which then hides its message. */
  private static boolean isOurs(IOException error) {
    return NamedException.nameOf(error).startsWith("dev.cairn.");
  }

  private static <E extends IOException> E as(E told, Throwable cause) {
    told.initCause(cause);
    return told;
  }
}
