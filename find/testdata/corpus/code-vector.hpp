#pragma once // ⟦bare¦https://www.example.org/c++/⟧; cf. ⟦bare¦https://www.example.org/w/cpp/language/operator+⟧
namespace ⟦not¦net::http⟧ {
template <class T, class U = ⟦not¦std::vector<T>⟧> class file⟦not¦ : public⟧ ⟦not¦io::file⟧ {
⟦not¦public:⟧
  file()⟦not¦:n(0)⟧,p(0) {}
  using ⟦not¦http::get⟧; ⟦not¦::ftp::open⟧(x); auto l = [](auto x) -> ⟦not¦news::group⟧ { return x ? ⟦not¦file:nullptr⟧; };
⟦not¦private:⟧
};
/// @see ⟦bare¦https://www.example.org/doxygen/structnet_1_1http.html#a1⟧
/// <a href="⟦bare¦https://www.example.org/doxy⟧">x</a> [y](⟦bare¦https://www.example.org/doxy2⟧)
for (auto f⟦not¦:files⟧) ⟦not¦std::cout⟧ << "⟦bare¦http://www.example.org/⟧"s << f;
} // namespace ⟦not¦net::http⟧
