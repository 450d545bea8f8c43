package dev.cairn.tools.explain;

import dev.cairn.engine.scan.CellOutcome;
import java.time.Instant;
import java.util.function.IntFunction;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Explains the outcome of a cell in a sentence, for readers who know tables, rows and versions, but
 * not the database's internals.
 */
final class FateWords {
  private final JsonObject family;
  private final int versionsAsked;
  private final boolean raw;
  private final long nowMillis;
  private final IntFunction<String> places;

  /**
   * Creates the words for the cells of a family.
   *
   * @param family the family's rules
   * @param versionsAsked how many versions are asked for
   * @param raw whether the scan is raw
   * @param nowMillis the moment of the read
   * @param places names a source by its index
   */
  FateWords(
      JsonObject family,
      int versionsAsked,
      boolean raw,
      long nowMillis,
      IntFunction<String> places) {
    this.family = family;
    this.versionsAsked = versionsAsked;
    this.raw = raw;
    this.nowMillis = nowMillis;
    this.places = places;
  }

  /** Returns the sentence about a cell. */
  String say(JsonObject cell) {
    CellOutcome fate = CellOutcome.valueOf(cell.get("fate").getAsString());
    boolean marker = !cell.get("type").getAsString().equals("Put");
    return switch (fate) {
      case RETURNED -> returned(cell, marker);
      case MARKER -> "delete marker: " + covers(cell);
      case MARKER_NOT_COUNTED -> notCounted();
      case TOO_NEW -> "not seen: it was written after this read began, or is not yet in the log";
      default -> (marker ? "delete marker, not looked at: " : "hidden: ") + reason(cell, fate);
    };
  }

  private String returned(JsonObject cell, boolean marker) {
    if (marker) {
      return "returned, as raw scans do with delete markers";
    }
    String value = cell.get("value").getAsString();
    int length = cell.get("valueLength").getAsInt();
    String text =
        cell.has("mobFile")
            ? length + " bytes in the MOB file " + cell.get("mobFile").getAsString()
            : value.length() < length ? value + "... (" + length + " bytes)" : value;
    boolean expired = !raw && cell.has("expires") && cell.get("expires").getAsLong() < nowMillis;
    return "RETURNED: "
        + text
        + (expired
            ? " (past its TTL since "
                + time(cell.get("expires").getAsLong())
                + ", kept by MIN_VERSIONS => "
                + family.get("minVersions").getAsInt()
                + ")"
            : "");
  }

  private String covers(JsonObject marker) {
    String before = byWrite() ? " that were written before it" : ", whenever they were written";
    return switch (marker.get("type").getAsString()) {
      case "Delete" ->
          "it hides the version of this column with exactly this timestamp"
              + (byWrite() ? ", if that was written before it" : "");
      case "DeleteColumn" -> "it hides all versions of this column up to its timestamp" + before;
      case "DeleteFamilyVersion" ->
          "it hides all cells of this row and family with exactly its timestamp" + before;
      default -> "it hides all cells of this row and family up to its timestamp" + before;
    };
  }

  private String notCounted() {
    return family.get("keepDeletedCells").getAsString().equals("FALSE")
        ? "delete marker without effect: it is older than the time range that is asked for"
        : "delete marker without effect: its timestamp is outside the time range, and with"
            + " KEEP_DELETED_CELLS a read of a time range shows what was there then";
  }

  private String reason(JsonObject cell, CellOutcome fate) {
    return switch (fate) {
      case FAMILY_TTL ->
          "expired since "
              + expiry(cell)
              + ", by the family's TTL of "
              + family.get("ttlMillis").getAsLong() / 1000
              + " s";
      case CELL_TTL -> "expired since " + expiry(cell) + ", by the TTL that it was written with";
      case FAMILY_DELETED -> "deleted with the row's family, by " + culprit(cell);
      case FAMILY_VERSION_DELETED ->
          "deleted, with all cells of this timestamp in the row's family, by " + culprit(cell);
      case COLUMN_DELETED -> "deleted with the column's older versions, by " + culprit(cell);
      case VERSION_DELETED -> "this one version is deleted, by " + culprit(cell);
      case OVERWRITTEN -> "a later write has the same column and timestamp (" + place(cell) + ")";
      case PUSHED_OUT ->
          "there once were VERSIONS => "
              + family.get("versions").getAsInt()
              + " newer versions, and by NEW_VERSION_BEHAVIOR it does not come back when they go";
      case VERSION_LIMIT -> versionLimit();
      case TIME_RANGE -> "its timestamp is outside the time range that is asked for";
      case COLUMN_NOT_ASKED -> "this column is not asked for";
      case NO_REFERENCE -> "only references to MOB files are asked for, and this is none";
      case FILTERED -> "the filter dropped it";
      case FILTERED_COLUMN -> "the filter wanted no more of this column";
      case FILTERED_REST_OF_ROW -> "the filter wanted no more of this row";
      case FILTER_SKIPPED -> "the filter asked to go on further ahead";
      case FILTER_ENDED -> "the filter had said that nothing more can be wanted";
      case FILTERED_ROW_KEY -> "the filter dropped the row by its key";
      case FILTERED_ROW -> "the filter dropped the row as a whole, after it had seen its cells";
      case FILTERED_FROM_ROW -> "the filter took it out of the complete row";
      case OFFSET -> "it is among the first cells of the row's family, which are to be left out";
      case LIMIT -> "as many cells of the row's family as are asked for come before it";
      case FAMILY_NOT_NEEDED ->
          "its family was not read: nothing of the row passed the filter in the families that the"
              + " filter needs";
      default -> "the scan did not come to this row";
    };
  }

  private String versionLimit() {
    int kept = family.get("versions").getAsInt();
    return kept < versionsAsked
        ? "the family keeps only VERSIONS => " + kept + ", and newer ones come first"
        : "only "
            + versionsAsked
            + (versionsAsked == 1 ? " version is" : " versions are")
            + " asked for, and newer ones come first";
  }

  private boolean byWrite() {
    return family.get("newVersionBehavior").getAsBoolean();
  }

  private static String expiry(JsonObject cell) {
    return cell.has("expires") ? time(cell.get("expires").getAsLong()) : "long ago";
  }

  private String culprit(JsonObject cell) {
    if (!cell.has("by")) {
      return "a delete marker";
    }
    JsonObject by = cell.getAsJsonObject("by");
    return "the "
        + by.get("type").getAsString()
        + " marker of "
        + by.get("timestamp").getAsLong()
        + " ("
        + place(cell)
        + ")";
  }

  private String place(JsonObject cell) {
    if (!cell.has("by")) {
      return "elsewhere";
    }
    JsonObject by = cell.getAsJsonObject("by");
    long sequence = by.get("sequence").getAsLong();
    String where = places.apply(by.get("source").getAsInt());
    return sequence == 0 ? "in " + where : "write " + sequence + ", in " + where;
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
