package dev.cairn.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.CompactionCursor.Mode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Versions, markers, time to live and column selection, as HBase's reference guide tells them. */
class ScanSemanticsTest {
  private final ScanFixture table = new ScanFixture();

  @Test
  void aScanReturnsTheNewestVersionAndOlderOnesUpToVersions() throws IOException {
    table.family("f", "VERSIONS=2").write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/Put=c");
    assertThat(table.scan()).containsExactly("r/f:q/3/Put=c");
    assertThat(table.scanVersions()).containsExactly("r/f:q/3/Put=c", "r/f:q/2/Put=b");
  }

  @Test
  void theLastWriteOfATimestampWins() throws IOException {
    table.family("f", "VERSIONS=3").write("r/f:q/1/Put=first", "r/f:q/1/Put=second");
    assertThat(table.scanVersions()).containsExactly("r/f:q/1/Put=second");
  }

  @Test
  void aColumnMarkerHidesItsTimestampAndBefore() throws IOException {
    table
        .family("f", "VERSIONS=3")
        .write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/Put=c", "r/f:q/2/DeleteColumn");
    assertThat(table.scanVersions()).containsExactly("r/f:q/3/Put=c");
  }

  @Test
  void aVersionMarkerHidesOneVersion() throws IOException {
    table
        .family("f", "VERSIONS=3")
        .write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/Put=c", "r/f:q/2/Delete");
    assertThat(table.scanVersions()).containsExactly("r/f:q/3/Put=c", "r/f:q/1/Put=a");
  }

  @Test
  void aFamilyMarkerHidesAllColumnsOfItsFamilyOnly() throws IOException {
    table
        .family("f")
        .family("g")
        .write("r/f:/1/Put=x", "r/f:q/2/Put=a", "r/f:q/3/Put=b", "r/g:q/1/Put=c")
        .write("r/f:/2/DeleteFamily");
    assertThat(table.scan()).containsExactly("r/f:q/3/Put=b", "r/g:q/1/Put=c");
  }

  @Test
  void aFamilyVersionMarkerHidesExactlyItsTimestampInAllColumns() throws IOException {
    table
        .family("f", "VERSIONS=2")
        .write("r/f:p/1/Put=a", "r/f:p/2/Put=b", "r/f:q/2/Put=c", "r/f:/2/DeleteFamilyVersion");
    assertThat(table.scanVersions()).containsExactly("r/f:p/1/Put=a");
  }

  @Test
  void aFamilyMarkerBehindVersionsOfTheEmptyQualifierIsFound() throws IOException {
    table
        .family("f")
        .write("r/f:/9/Put=a", "r/f:/8/Put=b", "r/f:/7/Put=c", "r/f:/6/Put=d", "r/f:/5/Put=e")
        .write("r/f:/4/Put=f", "r/f:/3/Put=g", "r/f:/2/Put=h", "r/f:/1/DeleteFamily")
        .write("r/f:q/1/Put=hidden", "r/f:q2/2/Put=seen");
    assertThat(table.scan()).containsExactly("r/f:/9/Put=a", "r/f:q2/2/Put=seen");
    assertThat(
            table.scan(
                ScanRequest.builder().family(Bytes.utf8("f"), FamilySelection.of(Bytes.utf8("q")))))
        .isEmpty();
  }

  @Test
  void aMarkerHidesWhatIsWrittenLaterUntilAMajorCompaction() throws IOException {
    table.family("f").write("r/f:q/5/DeleteColumn", "r/f:q/4/Put=late");
    assertThat(table.scan()).isEmpty();
    table.compact(Mode.MINOR);
    assertThat(table.cells()).containsExactly("r/f:q/5/DeleteColumn");
    table.compact(Mode.MAJOR).write("r/f:q/4/Put=later");
    assertThat(table.scan()).containsExactly("r/f:q/4/Put=later");
  }

  @Test
  void withNewVersionBehaviorAMarkerHidesOnlyWhatWasWrittenBefore() throws IOException {
    table
        .family("f", "NEW_VERSION_BEHAVIOR=true")
        .write("r/f:q/3/Put=early", "r/f:q/5/DeleteColumn", "r/f:q/4/Put=late");
    assertThat(table.scan()).containsExactly("r/f:q/4/Put=late");
  }

  @Test
  void withNewVersionBehaviorAVersionOnceBeyondTheLimitStaysGone() throws IOException {
    table
        .family("f", "VERSIONS=2", "NEW_VERSION_BEHAVIOR=true")
        .write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/Put=c", "r/f:q/3/Delete");
    assertThat(table.scanVersions()).containsExactly("r/f:q/2/Put=b");
    assertThat(table.compact(Mode.MAJOR).cells()).containsExactly("r/f:q/2/Put=b");
  }

  @Test
  void classicallyAVersionBeyondTheLimitComesBackUntilAMajorCompaction() throws IOException {
    table.family("f", "VERSIONS=2").write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/Put=c");
    table.compact(Mode.FLUSH).compact(Mode.MINOR).write("r/f:q/3/Delete");
    assertThat(table.scanVersions()).containsExactly("r/f:q/2/Put=b", "r/f:q/1/Put=a");
  }

  @Test
  void aTimeRangeSeesTheNewestVersionInsideIt() throws IOException {
    table.family("f").write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/Put=c");
    assertThat(table.scan(ScanRequest.builder().timeRange(new TimeRange(1, 3))))
        .containsExactly("r/f:q/2/Put=b");
  }

  @Test
  void aMarkerBehindTheTimeRangeHidesUnlessDeletedCellsAreKept() throws IOException {
    ScanRequest.Builder past = ScanRequest.builder().timeRange(new TimeRange(0, 2));
    table.family("f").write("r/f:q/1/Put=a", "r/f:q/5/DeleteColumn");
    assertThat(table.scan(past)).isEmpty();
    ScanFixture keeping = new ScanFixture().family("f", "KEEP_DELETED_CELLS=TRUE");
    keeping.write("r/f:q/1/Put=a", "r/f:q/5/DeleteColumn").compact(Mode.MAJOR);
    assertThat(keeping.scan(past)).containsExactly("r/f:q/1/Put=a");
    assertThat(keeping.scan()).isEmpty();
  }

  @Test
  void aCellIsExpiredOnceItsTimeToLiveLiesBeforeNow() throws IOException {
    table.family("f", "TTL=10").write("r/f:q/1000/Put=a").now(11_000);
    assertThat(table.scan()).containsExactly("r/f:q/1000/Put=a");
    assertThat(table.now(11_001).scan()).isEmpty();
    assertThat(table.compact(Mode.FLUSH).cells()).isEmpty();
  }

  @Test
  void minVersionsStayThoughExpired() throws IOException {
    table
        .family("f", "VERSIONS=3", "TTL=10", "MIN_VERSIONS=1")
        .write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/Put=c")
        .now(60_000);
    assertThat(table.scanVersions()).containsExactly("r/f:q/3/Put=c");
    assertThat(table.compact(Mode.MAJOR).cells()).containsExactly("r/f:q/3/Put=c");
  }

  @Test
  void aCellMayHaveATimeToLiveOfItsOwn() throws IOException {
    table.family("f").write("r/f:q/1/Put=old").writeWithTtl("r/f:q/2/Put=short", 100).now(102);
    assertThat(table.scan()).containsExactly("r/f:q/2/Put=short");
    assertThat(table.now(103).scan()).containsExactly("r/f:q/1/Put=old");
  }

  @Test
  void aRawScanReturnsMarkersAndWhatTheyHide() throws IOException {
    table
        .family("f", "VERSIONS=1")
        .write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/2/DeleteColumn", "r/f:/3/DeleteFamily");
    assertThat(table.scan(ScanRequest.builder().raw(true).maxVersions(5)))
        .containsExactly(
            "r/f:/3/DeleteFamily", "r/f:q/2/DeleteColumn", "r/f:q/2/Put=b", "r/f:q/1/Put=a");
  }

  @Test
  void aRawScanOfSingleColumnsIsRefused() {
    table.family("f");
    assertThatThrownBy(
            () ->
                table.scan(
                    ScanRequest.builder()
                        .raw(true)
                        .family(Bytes.utf8("f"), FamilySelection.of(Bytes.utf8("q")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot specify any column for a raw scan");
  }

  @Test
  void wideRowsAndManyVersionsAreJumpedOver() throws IOException {
    table.family("f", "VERSIONS=100");
    for (int i = 0; i < 60; i++) {
      table.write("r1/f:a" + i + "/1/Put=x", "r1/f:q/" + (i + 1) + "/Put=v" + i);
      table.write("r2/f:q/" + (i + 1) + "/Put=w" + i);
    }
    table.write("r1/f:z/1/Put=z", "r3/f:z/1/Put=z");
    assertThat(
            table.scan(
                ScanRequest.builder()
                    .family(Bytes.utf8("f"), FamilySelection.of(Bytes.utf8("q"), Bytes.utf8("z")))))
        .containsExactly(
            "r1/f:q/60/Put=v59", "r1/f:z/1/Put=z", "r2/f:q/60/Put=w59", "r3/f:z/1/Put=z");
  }

  @Test
  void aMajorCompactionKeepsWhatAnOlderScanMayNeed() throws IOException {
    table
        .family("f")
        .write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/DeleteColumn")
        .compact(Mode.MAJOR, 1);
    assertThat(table.cells())
        .containsExactly("r/f:q/3/DeleteColumn", "r/f:q/2/Put=b", "r/f:q/1/Put=a");
    assertThat(table.compact(Mode.MAJOR, 2).cells())
        .containsExactly("r/f:q/3/DeleteColumn", "r/f:q/2/Put=b", "r/f:q/1/Put=a");
    assertThat(table.compact(Mode.MAJOR, 3).cells()).isEmpty();
  }
}
