package dev.cairn.engine.region.write;

import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write of which a {@link WriteHook} hears when it is visible.
 *
 * @param write the write
 * @param written the request as it was applied
 */
public record HookedWrite(PendingWrite write, WriteHook hook, WriteRequest written)
    implements PendingWrite {
  private static final Logger LOG = LoggerFactory.getLogger(HookedWrite.class);

  @Override
  public List<MutationOutcome> join() throws IOException {
    List<MutationOutcome> outcomes = write.join();
    tell(outcomes);
    return outcomes;
  }

  @Override
  public void whenDone(WriteListener told) {
    write.whenDone(
        new WriteListener() {
          @Override
          public void done(List<MutationOutcome> outcomes) {
            tell(outcomes);
            told.done(outcomes);
          }

          @Override
          public void failed(Throwable cause) {
            told.failed(cause);
          }
        });
  }

  private void tell(List<MutationOutcome> outcomes) {
    if (outcomes.get(0) instanceof MutationOutcome.Done) {
      try {
        hook.visible(written);
      } catch (RuntimeException e) { // the write is done, and its caller waits
        LOG.warn("A hook failed after a write", e);
      }
    }
  }

  @Override
  public Runnable requestSync() {
    return write.requestSync();
  }
}
