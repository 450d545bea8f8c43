package dev.cairn.server.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A new master distinguishes a damaged descriptor of a table from a read that fails. */
class TakeoverTest {
  private static final String DESCRIPTORS = "data/default/orders/.tabledesc";

  private final SimulatedCluster cluster = new SimulatedCluster();
  private int failures;

  @BeforeEach
  void createTable() throws IOException {
    cluster.addServer(new ServerName("one", 1, 1));
    cluster.startUp();
    cluster.run(cluster.createTable());
    cluster.killMaster();
  }

  @Test
  void aDescriptorWhoseReadFailsForAMomentIsReadAgain() throws IOException {
    cluster.storageFault = (operation, path) -> path.startsWith(DESCRIPTORS) && ++failures <= 5;
    cluster.startUp();
    assertThat(failures).isGreaterThan(5);
    assertThat(damage()).isEmpty();
    assertThat(cluster.tableState()).isPresent();
  }

  @Test
  void aDescriptorThatIsNeverReadStopsOnlyItsTable() {
    cluster.storageFault = (operation, path) -> path.startsWith(DESCRIPTORS);
    assertThat(startUpAndFindDamage()).contains("The table orders cannot be served");
  }

  @Test
  void aMissingDescriptorIsNotReadAgain() throws IOException {
    cluster.storage.delete(DESCRIPTORS);
    assertThat(startUpAndFindDamage()).contains("The table orders cannot be served", "missing");
  }

  private String startUpAndFindDamage() {
    try {
      cluster.startUp();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return String.join("\n", damage());
  }

  private List<String> damage() {
    return cluster.active().tables().damage();
  }
}
