package dev.cairn.server.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracker;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.exchange.ImportReport.Severity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the report on the files in a region's folder. */
class StoreInspectionTest {
  private static final String OTHER = "fedcba9876543210fedcba9876543210";

  private final Storage storage = new MemoryStorage(Clock.SYSTEM);
  private final RegionInfo region =
      new RegionInfo(TableName.parse("t"), new byte[0], new byte[0], 1);
  private final String family = TableFiles.directory(region) + "/f/";
  private final List<String> heard = new ArrayList<>();

  @Test
  void referencesAndLinksThatLeadNowhereRefuseTheTable() throws IOException {
    byte[] damaged = Reference.top("r5".getBytes(UTF_8)).toFile();
    damaged[damaged.length / 2] ^= 1;
    storage.writeAll(family + "aaaa." + OTHER, damaged);
    storage.writeAll(family + "bbbb." + OTHER, Reference.top("r5".getBytes(UTF_8)).toFile());
    storage.writeAll(family + "t=" + OTHER + "-cccc", new byte[0]);

    ImportReport.Table table = inspect();

    assertThat(table.references()).isEqualTo(2);
    assertThat(table.links()).isEqualTo(1);
    assertThat(heard)
        .satisfiesExactlyInAnyOrder(
            text ->
                assertThat(text).startsWith(family + "aaaa." + OTHER + ": ").contains("damaged"),
            text ->
                assertThat(text).startsWith(family + "bbbb." + OTHER + ": ").contains("none of"),
            text ->
                assertThat(text).startsWith(family + "t=" + OTHER + "-cccc: ").contains("none of"));
  }

  @Test
  void thoseThatLeadToAFileAreNoFinding() throws IOException {
    storage.writeAll("archive/data/default/t/" + OTHER + "/f/bbbb", new byte[1]);
    storage.writeAll(family + "bbbb." + OTHER, Reference.top("r5".getBytes(UTF_8)).toFile());
    storage.writeAll(family + "t=" + OTHER + "-bbbb", new byte[0]);

    inspect();

    assertThat(heard).isEmpty();
  }

  @Test
  void aFileThatTheStoresListDoesNotNameIsNotCounted() throws IOException {
    createTable(Map.of(StoreFileTracking.KEY, "FILE"));
    list();
    storage.writeAll(family + "cccc", new byte[] {1, 2, 3});

    assertThat(inspect().storeFiles()).isZero();
    assertThat(heard).isEmpty();

    storage.delete(family + ".filelist");
    inspect();
    assertThat(heard).singleElement().asString().contains(family + ".filelist");
  }

  @Test
  void aMissingFileThatTheStoresListNamesRefusesTheTable() throws IOException {
    createTable(Map.of(StoreFileTracking.KEY, "FILE"));
    list("cccc");

    inspect();

    assertThat(heard).singleElement().asString().startsWith(family + "cccc: it is missing");
  }

  @Test
  void theSitesTrackerIsThatOfFamiliesWithoutOne() throws IOException {
    createTable(Map.of());
    list("cccc");

    inspect();
    assertThat(heard).isEmpty();
    inspect(StoreFileTracking.Kind.FILE);
    assertThat(heard).singleElement().asString().startsWith(family + "cccc: it is missing");
  }

  private void createTable(Map<String, String> attributes) throws IOException {
    TableSchema schema = TableSchema.of(region.table(), FamilySchema.of("f", attributes));
    new TableFiles(storage).create(schema, List.of(region));
  }

  /** Writes the list of the family's files. */
  private void list(String... names) throws IOException {
    StoreFileTracking tracking = StoreFileTracking.of(StoreFileTracking.Kind.FILE);
    StoreFileTracker.of(tracking, storage, Clock.SYSTEM, TableFiles.directory(region) + "/f")
        .begin(Stream.of(names).map(name -> new TrackedFile(name, 1)).toList());
  }

  private ImportReport.Table inspect() throws IOException {
    return inspect(StoreFileTracking.Kind.DEFAULT);
  }

  private ImportReport.Table inspect(StoreFileTracking.Kind tracker) throws IOException {
    StoreInspection inspection =
        new StoreInspection(
            storage,
            tracker,
            (severity, where, what, consequence) -> {
              assertThat(severity).isEqualTo(Severity.TABLE_REFUSED);
              assertThat(where).isEqualTo("t");
              heard.add(what);
            });
    inspection.addRegion(region);
    return inspection.table(region.table(), Optional.empty(), 1, 0);
  }
}
