package dev.cairn.server.page;

import java.util.List;

/**
 * Describes a page for addresses, the menu and the documentation.
 *
 * @param id its address without the slash; {@code overview} for the first page
 * @param title its name in the menu
 * @param group its place in the menu
 * @param sentence its contents
 * @param parameters its own parameters
 * @param aliases other addresses, without their slash: those that HBase uses
 */
public record PageInfo(
    String id,
    String title,
    MenuGroup group,
    String sentence,
    List<Parameter> parameters,
    List<String> aliases) {
  /** The page at {@code /}. */
  public static final String OVERVIEW = "overview";

  /**
   * A parameter.
   *
   * @param name its name
   * @param meaning its meaning
   * @param required whether the page needs it; the menu omits such a page
   */
  public record Parameter(String name, String meaning, boolean required) {}

  /** Copies the lists and checks the id. */
  public PageInfo {
    Ids.check(id);
    parameters = List.copyOf(parameters);
    aliases = List.copyOf(aliases);
  }

  /** Returns a page without parameters and aliases. */
  public static PageInfo of(String id, String title, MenuGroup group, String sentence) {
    return new PageInfo(id, title, group, sentence, List.of(), List.of());
  }

  /** Returns the same with one more parameter. */
  public PageInfo with(String name, String meaning, boolean required) {
    List<Parameter> more = new java.util.ArrayList<>(parameters);
    more.add(new Parameter(name, meaning, required));
    return new PageInfo(id, title, group, sentence, more, aliases);
  }

  /** Returns the same with other addresses. */
  public PageInfo alsoAt(String... others) {
    return new PageInfo(id, title, group, sentence, parameters, List.of(others));
  }

  /** Tells whether the menu has the page: it needs no parameter. */
  public boolean isInMenu() {
    return parameters.stream().noneMatch(Parameter::required);
  }

  /** The parts of the menu, in their order. */
  public enum MenuGroup {
    /** The master's view of all servers. */
    CLUSTER("Cluster"),
    /** A region server's view of itself. */
    SERVER("Region server"),
    /** The process: settings, log, threads. */
    PROCESS("Process");

    private final String title;

    MenuGroup(String title) {
      this.title = title;
    }

    /** Returns the heading. */
    public String title() {
      return title;
    }
  }
}
