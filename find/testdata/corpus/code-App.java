/**
 * The application. See <a href="⟦bare¦https://docs.example.org/app⟧">the manual</a> or
 * {@link ⟦not¦App#run⟧}, ⟦bare¦http://www.example.org/java/⟧.
 * ⟦wrapped¦<URL:telnet://java.ex
 * ample.org:7777>¦telnet://java.example.org:7777⟧
 *
 * @see <a href='⟦bare¦http://www.example.org/see⟧'>see</a>
 */
class App {
    static final String HOME = "⟦bare¦http://www.example.org/⟧", JDBC = "⟦any¦jdbc:mysql://db.example.org/x⟧";
    Runnable r = ⟦not¦App::run⟧; // ⟦bare¦mailto:java@example.org⟧
    void run() { for (String s ⟦not¦: list⟧) get("⟦bare¦http://localhost:8080/a?b=⟧" + s); }
}
