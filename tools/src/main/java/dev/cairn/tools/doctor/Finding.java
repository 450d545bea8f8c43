package dev.cairn.tools.doctor;

/**
 * One result of a check.
 *
 * @param area the area of the check
 * @param level how serious it is
 * @param what the fact or the problem
 * @param where the setting, file or address concerned; may be empty
 * @param remedy the action to take; empty if none is needed
 */
public record Finding(Area area, Level level, String what, String where, String remedy) {
  /** The area of a check. */
  public enum Area {
    SETTINGS("Settings"),
    SERVER("Server"),
    TOLD("What a client is told"),
    CLIENT("From a client's side"),
    OTHER_HOSTS("From other hosts"),
    MACHINE("Machine and JVM");

    private final String title;

    Area(String title) {
      this.title = title;
    }

    /** Returns the heading of the area's findings. */
    public String title() {
      return title;
    }
  }

  /** The severity of a finding. */
  public enum Level {
    /** A fact without a problem. */
    OK,
    /** Works, but could be better or may surprise. */
    ADVICE,
    /** Does not work, or endangers data. */
    PROBLEM
  }
}
