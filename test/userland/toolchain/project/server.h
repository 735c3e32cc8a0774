#ifdef __cplusplus
extern "C" {
#endif
int serve(int id, const char *text);
void rest(void);
#ifdef __cplusplus
}
#endif
