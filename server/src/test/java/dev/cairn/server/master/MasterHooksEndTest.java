package dev.cairn.server.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.hook.MasterHookSource;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that the coprocessors of a master end with it. */
class MasterHooksEndTest {
  private final SimulatedCluster cluster = new SimulatedCluster();
  private final List<String> calls = new ArrayList<>();

  private final class Recorded extends FakeHooks {
    @Override
    public void beforeInitialization() {
      calls.add("before");
    }

    @Override
    public void close() {
      calls.add("close");
    }
  }

  private void start(Runnable beforeOpen) throws IOException {
    cluster.hooks =
        new MasterHookSource() {
          @Override
          public boolean isUsed() {
            return true;
          }

          @Override
          public MasterHooks open(MasterView view) {
            beforeOpen.run();
            calls.add("open");
            return new Recorded();
          }
        };
    cluster.addServer(new ServerName("one", 1, 1));
    cluster.startMaster();
  }

  @Test
  void thoseThatStartWhileTheMasterEndsAreStopped() throws IOException {
    start(() -> cluster.master.close());
    cluster.runUntil(() -> calls.contains("close"));
    assertThat(calls).containsExactly("open", "close");
  }

  @Test
  void thoseThatRunAreStoppedOnce() throws IOException {
    start(() -> {});
    cluster.runUntil(() -> cluster.master.isInitialized());
    cluster.master.close();
    cluster.master.close();
    assertThat(calls).containsExactly("open", "before", "close");
  }
}
