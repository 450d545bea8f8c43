package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingBatch;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The parts of a batch complete together, or earlier if a batch takes long. */
class PendingBatchTest {
  private final List<String> calls = new ArrayList<>();
  private final PendingBatch batch = new PendingBatch(2, () -> {});

  @Test
  void aPartThatIsSettledIsNotJoinedAgain() throws IOException {
    MutationOutcome first = new MutationOutcome.Done(new CellBuffer());
    MutationOutcome second = new MutationOutcome.Done(new CellBuffer());
    batch.add(0, new Part("first", first));
    batch.settle();
    assertThat(calls).containsExactly("join first");
    batch.add(1, new Part("second", second));
    batch.settle();
    batch.settle();
    assertThat(batch.join()).containsExactly(first, second);
    assertThat(calls).containsExactly("join first", "join second");
  }

  @Test
  void aPartWhoseOutcomeIsUnknownIsLeftAlone() {
    batch.add(0, new Part("failing", null));
    batch.add(1, new Part("next", new MutationOutcome.Done(new CellBuffer())));
    assertThatThrownBy(batch::settle).isInstanceOf(IOException.class);
    batch.abandon();
    assertThat(calls).containsExactly("join failing", "release next");
  }

  @Test
  void partsAfterOneThatFailsAreReleased() {
    batch.add(0, new Part("failing", null));
    batch.add(1, new Part("next", new MutationOutcome.Done(new CellBuffer())));
    assertThatThrownBy(batch::join).isInstanceOf(IOException.class);
    assertThat(calls).containsExactly("join failing", "release next");
  }

  @Test
  void aListenerThatThrowsIsCalledOnce_afterAllPartsHaveEnded() {
    batch.add(0, new Part("failing", null));
    batch.add(1, new Part("next", new MutationOutcome.Done(new CellBuffer())));
    WriteListener throwing =
        new WriteListener() {
          @Override
          public void done(List<MutationOutcome> outcomes) {
            throw new AssertionError("A part has failed");
          }

          @Override
          public void failed(Throwable cause) {
            calls.add(cause.getMessage());
            throw new IllegalStateException("The listener is broken");
          }
        };
    assertThatThrownBy(() -> batch.whenDone(throwing)).hasMessage("The listener is broken");
    assertThat(calls).containsExactly("release failing", "release next", "The log failed");
  }

  /** A write that has begun; one without an outcome fails. */
  private final class Part implements PendingWrite {
    private final String name;
    private final MutationOutcome outcome;

    Part(String name, MutationOutcome outcome) {
      this.name = name;
      this.outcome = outcome;
    }

    @Override
    public List<MutationOutcome> join() throws IOException {
      calls.add("join " + name);
      if (outcome == null) {
        throw new IOException("The log failed");
      }
      return List.of(outcome);
    }

    @Override
    public void whenDone(WriteListener told) {
      calls.add("release " + name);
      if (outcome == null) {
        told.failed(new IOException("The log failed"));
      } else {
        told.done(List.of(outcome));
      }
    }

    @Override
    public Runnable requestSync() {
      return () -> {};
    }
  }
}
