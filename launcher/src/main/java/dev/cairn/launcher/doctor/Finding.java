package dev.cairn.launcher.doctor;

/**
 * One result of a check.
 *
 * @param area what was checked
 * @param level how serious it is
 * @param what the fact, or what is wrong
 * @param where the setting, file or address that it is about; may be empty
 * @param remedy what to do; empty if nothing is to be done
 */
public record Finding(Area area, Level level, String what, String where, String remedy) {
  /** What was checked. */
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

  /** How serious a finding is. */
  public enum Level {
    /** A fact; nothing is wrong. */
    OK,
    /** Works, but could be better or may surprise. */
    ADVICE,
    /** Does not work, or endangers data. */
    PROBLEM
  }
}
